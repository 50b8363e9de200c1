import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Packages without a DOM are tested without one, so that none slips in. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "pure",
          environment: "node",
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
          include: ["{packages/bridge,packages/react,app}/test/**/*.test.{ts,tsx}"],
        },
      },
    ],
  },
});
