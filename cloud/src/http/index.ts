/** HTTP: parse, limit, name errors. What the composition root builds it from; routes are under `routes/`. */

export { problemBody, problemHeaders, RateLimits, upgradeRefusal, VERSIONS } from "@porchlight/shared/rest";
export { Addresses } from "./addresses.ts";
export { AnonymousRequests } from "./anonymous-requests.ts";
export { Arrivals } from "./arrivals.ts";
export { Idempotency } from "./idempotency.ts";
export { LateRefusals } from "./late-refusals.ts";
export { listenForMetrics, type MetricsText, onceASecond, serveMetrics } from "./metrics-page.ts";
export { type Page, packed } from "./packed.ts";
export { Pager } from "./page.ts";
export type { Pages } from "./pages.ts";
export { requestIds } from "./request-ids.ts";
export type { Route } from "./route.ts";
export { buildServer, type ServerDeps } from "./server.ts";
export { stopListening } from "./stop-listening.ts";
export { readTls, TlsBroken, type TlsFiles, TlsKeeper, type TlsPair } from "./tls.ts";
