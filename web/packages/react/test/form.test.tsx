import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { FormPart } from "@vitrail/protocol";
import { describe, expect, test, vi } from "vitest";
import { type FormUse, QuestionForm } from "../src/index.ts";
import { draw, drawn } from "./draw.tsx";

const QUESTIONS = [
  {
    id: "platform",
    label: "Platform",
    type: "radio",
    required: true,
    options: [
      { value: "mobile", label: "Mobile", description: "Phones first" },
      { value: "web", label: "Web" },
    ],
  },
  {
    id: "tone",
    label: "Tone",
    type: "checkbox",
    maxSelections: 1,
    allowCustom: false,
    options: [
      { value: "calm", label: "Calm" },
      { value: "bold", label: "Bold" },
    ],
  },
  { id: "notes", label: "Notes", type: "textarea" },
];

function part(change: Partial<FormPart> = {}, form: object = {}): FormPart {
  return {
    type: "form",
    form: { id: "brief", title: "Brief", questions: QUESTIONS, ...form },
    complete: true,
    ...change,
  };
}

function use(change: Partial<FormUse> = {}): FormUse {
  return {
    answers: null,
    whyNot: null,
    drafts: {},
    onDrafts: vi.fn(),
    onSend: vi.fn(async () => null),
    ...change,
  };
}

const send = () => fireEvent.click(screen.getByRole("button", { name: "Send answers" }));

describe("a form is filled in", () => {
  test("nothing is sent until what is needed is answered, and the words say so", async () => {
    const given = use();
    draw(<QuestionForm part={part()} isStreaming={false} use={given} />);
    expect(screen.getByText("Still needed: Platform")).toBeTruthy();
    send();
    expect(given.onSend).not.toHaveBeenCalled();
    const group = screen.getByRole("group", { name: /Platform/ });
    await waitFor(() => expect(group.contains(document.activeElement)).toBe(true));
    expect(screen.getByText("This needs an answer, or a skip.")).toBeTruthy();
    fireEvent.click(screen.getByLabelText(/Mobile/));
    send();
    await waitFor(() =>
      expect(given.onSend).toHaveBeenCalledWith({ platform: "mobile" }, new Map()),
    );
    const summary = await screen.findByRole("region", { name: "Brief" });
    expect(summary.textContent).toContain("Answered");
    expect(document.activeElement).toBe(summary);
  });

  test("more than may be chosen is said at once and not sent", () => {
    const given = use({
      drafts: { platform: { values: ["web"], other: null, isSkipped: false } },
    });
    draw(<QuestionForm part={part()} isStreaming={false} use={given} />);
    fireEvent.click(screen.getByLabelText("Calm"));
    fireEvent.click(screen.getByLabelText("Bold"));
    expect(screen.getByText("2 are chosen; at most 1 can be.")).toBeTruthy();
    send();
    expect(given.onSend).not.toHaveBeenCalled();
  });

  test("an answer of one's own stands beside the options, unless it may not", async () => {
    const given = use();
    draw(<QuestionForm part={part()} isStreaming={false} use={given} />);
    const others = screen.getAllByLabelText("Other");
    expect(others).toHaveLength(1);
    fireEvent.click(screen.getByLabelText("Other"));
    fireEvent.change(screen.getByLabelText("Other answer: Platform"), {
      target: { value: "Watch" },
    });
    send();
    await waitFor(() =>
      expect(given.onSend).toHaveBeenCalledWith({ platform: "Watch" }, new Map()),
    );
  });

  test("one question, or all that are left, can be skipped", async () => {
    const given = use();
    draw(<QuestionForm part={part()} isStreaming={false} use={given} />);
    const skip = screen.getByRole("button", { name: "Skip: Notes" });
    fireEvent.click(skip);
    expect(screen.queryByLabelText("Notes")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Answer: Notes" }));
    expect(screen.getByLabelText("Notes")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Skip all" }));
    await waitFor(() =>
      expect(given.onSend).toHaveBeenCalledWith(
        { platform: null, tone: null, notes: null },
        new Map(),
      ),
    );
  });

  test("what refused the answers is said, beside its question too", async () => {
    const refusal = {
      message: "Two answers do not fit.",
      code: "form-answers-invalid",
      byQuestion: { notes: "At most 5 words." },
    };
    const given = use({ onSend: async () => refusal });
    draw(<QuestionForm part={part()} isStreaming={false} use={given} />);
    fireEvent.click(screen.getByLabelText("Web"));
    send();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Two answers do not fit.");
    expect(screen.getByText("At most 5 words.")).toBeTruthy();
  });

  test("what was typed is handed on to be kept", () => {
    const given = use();
    draw(<QuestionForm part={part()} isStreaming={false} use={given} />);
    fireEvent.change(screen.getByLabelText("Notes"), { target: { value: "Dark" } });
    expect(given.onDrafts).toHaveBeenLastCalledWith({
      notes: { values: ["Dark"], other: null, isSkipped: false },
    });
  });
});

describe("a form streams", () => {
  const PARTIAL = { questions: [QUESTIONS[0], { id: "tone", label: "To" }] };

  test("a question whose type may still come has no field yet", () => {
    draw(
      <QuestionForm part={part({ complete: false }, PARTIAL)} isStreaming use={use()} />,
    );
    expect(screen.getByText("To")).toBeTruthy();
    expect(screen.queryByRole("textbox")).toBeNull();
    const button = screen.getByRole("button", { name: "Send answers" });
    expect(button.getAttribute("aria-disabled")).toBe("true");
  });

  test("what is typed while it grows stays", () => {
    const given = use();
    const { rerender } = drawn(
      <QuestionForm part={part({ complete: false }, PARTIAL)} isStreaming use={given} />,
    );
    fireEvent.click(screen.getByLabelText(/Mobile/));
    const field = screen.getByLabelText(/Mobile/);
    rerender(<QuestionForm part={part()} isStreaming={false} use={given} />);
    expect(screen.getByLabelText(/Mobile/)).toBe(field);
    expect(field).toHaveProperty("checked", true);
  });
});

describe("a form that is answered or cannot be read", () => {
  test("shows its answers by their labels, to read only", () => {
    const answers = { platform: "mobile", tone: ["calm", "Loud"], notes: null };
    const drawnForm = draw(
      <QuestionForm part={part()} isStreaming={false} use={use({ answers })} />,
    );
    const said = within(drawnForm).getAllByRole("definition");
    expect(said.map((one) => one.textContent)).toEqual(["Mobile", "CalmLoud", "Skipped"]);
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test("keeps the model's own text at hand", () => {
    const form = { id: "x", raw: "{not json", reason: "invalid-json" };
    draw(<QuestionForm part={part({ form })} isStreaming={false} use={use()} />);
    expect(screen.queryByText("{not json")).toBeNull();
    fireEvent.click(screen.getByText("What the model wrote"));
    const details = document.querySelector("details");
    details?.dispatchEvent(new Event("toggle"));
    expect(details?.open ?? false).toBe(true);
  });

  test("has the language of its model, and our words have ours", () => {
    const form = { id: "x", lang: "ar", questions: QUESTIONS };
    const drawnForm = draw(
      <QuestionForm part={part({ form })} isStreaming={false} use={use()} />,
    );
    const element = drawnForm.querySelector("form");
    expect(element?.lang).toBe("ar");
    expect(element?.dir).toBe("rtl");
    expect(drawnForm.querySelector("footer")?.lang).toBe("en");
  });
});
