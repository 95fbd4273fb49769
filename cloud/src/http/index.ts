/** HTTP: parse, limit, name errors. What the composition root builds it from; routes are under `routes/`. */
export { Pager } from "./page.ts";
export { upgradeRefusal } from "./problem.ts";
export { buildServer, type ServerDeps } from "./server.ts";
