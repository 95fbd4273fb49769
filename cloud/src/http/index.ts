/** HTTP: the server, its limits, and errors by name. The composition root builds it from this front; routes are under `routes/`. */

export { problemBody, problemHeaders, RateLimits, upgradeRefusal, VERSIONS } from "@porchlight/shared/rest";
export { AnonymousRequests } from "./anonymous-requests.ts";
export { Arrivals } from "./arrivals.ts";
export { Addresses } from "./client-addresses.ts";
export { LateRefusals } from "./late-refusals.ts";
export { listenForMetrics, type MetricsText, onceASecond, serveMetrics } from "./metrics-page.ts";
export { openApi } from "./openapi.ts";
export { OwnerTurns } from "./owner-turns.ts";
export type { Pages, Reader } from "./pages.ts";
export { allRoutes } from "./routes/index.ts";
export { Idempotency } from "./routing/idempotency.ts";
export { Pager } from "./routing/page.ts";
export { type Page, packed, type Route } from "./routing/route.ts";
export { buildServer, requestIds, type ServerDeps, stopListening } from "./server.ts";
export { readTls, TlsBroken, type TlsFiles, TlsKeeper, type TlsPair } from "./tls.ts";
