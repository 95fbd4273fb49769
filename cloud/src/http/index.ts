/** HTTP: the server, its limits, and errors by name. The composition root builds it from this front; routes are under `routes/`. */

export { problemBody, problemHeaders, RateLimits, upgradeRefusal, VERSIONS } from "@porchlight/shared/rest";
export { Addresses } from "./client-addresses.ts";
export { AnonymousRequests } from "./anonymous-requests.ts";
export { Arrivals } from "./arrivals.ts";
export { LateRefusals } from "./late-refusals.ts";
export { OwnerTurns } from "./owner-turns.ts";
export { listenForMetrics, type MetricsText, onceASecond, serveMetrics } from "./metrics-page.ts";
export { openApi } from "./openapi.ts";
export type { Pages, Reader } from "./pages.ts";
export { requestIds } from "./request-ids.ts";
export { allRoutes } from "./routes/index.ts";
export { Idempotency } from "./routing/idempotency.ts";
export { Pager } from "./routing/page.ts";
export type { Route } from "./routing/route.ts";
export { type Page, packed } from "./routing/route.ts";
export { buildServer, type ServerDeps } from "./server.ts";
export { stopListening } from "./stop-listening.ts";
export { readTls, TlsBroken, type TlsFiles, TlsKeeper, type TlsPair } from "./tls.ts";
