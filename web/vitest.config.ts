import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** A busy machine is slow, not wrong. */
const testTimeout = 30_000;

/** Packages without a DOM are tested without one, so that none slips in. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "pure",
          environment: "node",
          testTimeout,
          include: [
            "packages/{protocol,stream,host}/test/**/*.test.ts",
            "test/**/*.test.ts",
          ],
        },
      },
      {
        plugins: [react()],
        test: {
          name: "dom",
          environment: "jsdom",
          testTimeout,
          include: ["{packages/bridge,packages/react,app}/test/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
