/** The portal in a browser: everything is put together here, once. */
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
// Only where the page is served for good: while it is worked on, nothing may stand between.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  void navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);

createRoot(root).render(
  <StrictMode>
    <App access={accessTo(location.origin)} />
  </StrictMode>,
);
