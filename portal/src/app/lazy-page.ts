/**
 * Pages are loaded when somebody goes there. Where that fails because the service is away, the page says so: the router's own way is to load
 * the whole document again, which would put the browser's error page in place of what was last known.
 */
import { lazyRouteComponent } from "@tanstack/react-router";

export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(notLoaded), name);

/** @throws the reason as it is when the service is there: it has another version by now, and the router loads that */
async function notLoaded(reason: unknown): Promise<never> {
  const isThere = await fetch("/healthz").then(
    ({ ok }) => ok,
    () => false,
  );
  if (isThere) throw reason;
  throw new Error("Could not load the page. The service cannot be reached.", { cause: reason });
}
