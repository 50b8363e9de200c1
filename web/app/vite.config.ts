import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where `vitrail serve` answers; scripts/dev.sh tells it that people come by this port. */
const SERVER = process.env["VITRAIL_DEV_SERVER"] ?? "http://127.0.0.1:7717";

/**
 * The workspace, served by the Python server under `script-src 'self'`: nothing
 * inline, no data: scripts, no polyfill that is written into the page.
 */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: {
    host: "127.0.0.1",
    port: 7719,
    strictPort: true,
    proxy: Object.fromEntries(
      ["/api", "/enter", "/preview/", "/static/", "/openapi.json"].map((path) => [
        path,
        { target: SERVER, changeOrigin: true },
      ]),
    ),
  },
});
