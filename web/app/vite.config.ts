import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const SERVER = "http://127.0.0.1:7717";

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
    // The server checks Host and Origin: the proxy speaks to it under its own name.
    proxy: Object.fromEntries(
      ["/api", "/preview", "/static", "/login", "/openapi.json"].map((path) => [
        path,
        { target: SERVER, changeOrigin: true, headers: { origin: SERVER } },
      ]),
    ),
  },
});
