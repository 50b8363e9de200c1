import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { App } from "../src/app.tsx";

test("the workspace draws its main landmark", () => {
  render(<App />);
  expect(screen.getByRole("main")).toBeTruthy();
});
