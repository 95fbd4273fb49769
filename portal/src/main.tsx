/** The entry point of the portal: creates its parts and renders it. */
import "@fontsource-variable/inter";
import "@fontsource-variable/jetbrains-mono";
import "@mantine/core/styles.layer.css";
import "./theme/tokens.css";
import "./theme/touch.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { accessTo } from "./session/context.tsx";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
// Only in production: during development the service worker's cache would hide changes.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);

createRoot(root).render(
  <StrictMode>
    <App access={accessTo(location.origin)} />
  </StrictMode>,
);
