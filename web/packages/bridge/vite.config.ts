import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/**
 * Keeps the script on one line, so that it moves no line of the page it stands in:
 * the only line breaks that a minifier leaves are inside template literals.
 */
const oneLine: Plugin = {
  name: "one-line",
  enforce: "post",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") {
        file.code = file.code.trim().replaceAll("\n", "\\n");
      }
    }
  },
};

/** The script inside the preview frame: one classic script without imports. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [oneLine],
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
