/**
 * Loads pages on navigation. When loading fails because the service is unreachable, the page shows the error: the router's default is to
 * reload the document, which would replace the last known state with the browser's error page.
 */
import { lazyRouteComponent } from "@tanstack/react-router";

export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(notLoaded), name);

/** @throws the original reason when the service is reachable: its version has changed, and the router then reloads the page */
async function notLoaded(reason: unknown): Promise<never> {
  const isThere = await fetch("/healthz").then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) throw reason;
  throw new Error("Could not load the page. The service cannot be reached.", { cause: reason });
}
