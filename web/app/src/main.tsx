import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./main.css";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root to draw the workspace in");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
