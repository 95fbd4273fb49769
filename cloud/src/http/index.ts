/** HTTP: parse, limit, name errors. What the composition root builds it from; routes are under `routes/`. */
export { Addresses } from "./addresses.ts";
export { Idempotency } from "./idempotency.ts";
export { listenForMetrics, serveMetrics } from "./metrics-page.ts";
export { Pager } from "./page.ts";
export type { Page, Pages } from "./pages.ts";
export { problemBody, problemHeaders, upgradeRefusal } from "./problem.ts";
export { RateLimits } from "./rate-limits.ts";
export type { Route } from "./route.ts";
export { buildServer, type ServerDeps } from "./server.ts";
export { VERSIONS } from "./versions.ts";
