import { fireEvent, screen } from "@testing-library/react";
import { createRef } from "react";
import { expect, test, vi } from "vitest";
import { Composer, type ComposerMode } from "../src/index.ts";
import { draw } from "./draw.tsx";

function compose(
  text: string,
  mode: ComposerMode = "idle",
  whyNot: string | null = null,
) {
  const onSend = vi.fn();
  const onStop = vi.fn();
  draw(
    <Composer
      text={text}
      onText={vi.fn()}
      mode={mode}
      onSend={onSend}
      onStop={onStop}
      whyNot={whyNot}
      placeholder="…"
      suggestions={[]}
      onSuggestion={vi.fn()}
      agent={null}
      field={createRef()}
    />,
  );
  return { field: screen.getByRole("textbox", { name: "Message" }), onSend, onStop };
}

test("Enter sends; Shift and Enter do not", () => {
  const { field, onSend } = compose("hi");
  fireEvent.keyDown(field, { key: "Enter", shiftKey: true });
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onSend).toHaveBeenCalledExactlyOnceWith("hi");
});

test("an Enter that ends the composition of a word sends nothing", () => {
  const { field, onSend } = compose("にほん");
  fireEvent.keyDown(field, { key: "Enter", isComposing: true });
  fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
  expect(onSend).not.toHaveBeenCalled();
});

test("nothing is sent from an empty field, and the button says why", () => {
  const { field, onSend } = compose("  ");
  fireEvent.keyDown(field, { key: "Enter" });
  const button = screen.getByRole("button", { name: "Send" });
  fireEvent.click(button);
  expect(onSend).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-description")).toBe("Write a message first.");
});

test("the stop button is where the send button was, while the text can be written on", () => {
  const { field, onSend, onStop } = compose("next", "running");
  expect(screen.queryByRole("button", { name: "Send" })).toBeNull();
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onSend).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(onStop).toHaveBeenCalledOnce();
});

test("a stop that is under way is not pressed twice", () => {
  const { onStop } = compose("", "stopping");
  fireEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(onStop).not.toHaveBeenCalled();
});

test("what keeps the person from sending is said", () => {
  const { onSend } = compose("hi", "idle", "The connection is lost.");
  fireEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(onSend).not.toHaveBeenCalled();
});
