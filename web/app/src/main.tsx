import { browserEvents, createApi, createWorkspace } from "@vitrail/stream/client";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./main.css";
import { App } from "./app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root to draw the workspace in");

const api = createApi();
const workspace = createWorkspace({ api, events: browserEvents() });

createRoot(root).render(
  <StrictMode>
    <App wiring={{ api, workspace }} />
  </StrictMode>,
);
