/** HTTP: parse, limit, name errors. What routes are made of, and the server that carries them. */
export { type BodyRule, bodyOf, readBody, requireUnchanged } from "./body-rules.ts";
export { Call } from "./call.ts";
export { ifMatch, unlessMatch } from "./conditions.ts";
export { type PageAsked, Pager } from "./page.ts";
export { problemBody, problemHeaders, upgradeRefusal } from "./problem.ts";
export { PAGING } from "./query.ts";
export {
  A,
  A_S,
  A_S_U,
  type Answer,
  created,
  defineOpenRoute,
  defineRoute,
  done,
  etag,
  ok,
  type Route,
} from "./route.ts";
export { buildServer, type ServerDeps } from "./server.ts";
