import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The script inside the preview frame: one classic script without imports. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    copyPublicDir: false,
    lib: {
      entry: "src/index.ts",
      formats: ["iife"],
      name: "vitrailBridge",
      fileName: () => "bridge.js",
    },
    rolldownOptions: { output: { intro: '"use strict";' } },
  },
});
