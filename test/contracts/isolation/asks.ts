/** A row for every route: what a caller sends who owns all that stands in it. A route without its row fails the build. */
import type { Method } from "@porchlight/cloud/http/routing/route.ts";
import { rounds } from "../../parts/rounds.ts";
import type { StoreName } from "../cloud.ts";
import { type Belongings, type Kind, SILENT_SINK, SILENT_WEBHOOK } from "./belongings.ts";
import type { Place } from "./places.ts";

export interface Ask {
  readonly method: Method;
  readonly url: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Body = (own: Belongings, count: number) => object;
/** A route that takes no body, or none for this. */
const none = undefined;
const CHANGE: Body = (_own, count) => ({ meta: { count } });
const VALUE: Body = () => ({ value: true });
const IN_ECOSYSTEM: Body = ({ eco }) => ({ ecosystemId: eco });
const IN_ENVIRONMENT: Body = ({ env }) => ({ environmentId: env });
const DESCRIPTION: Body = (_own, count) => ({ description: `number ${count}` });

const ROWS: Readonly<Record<string, Body | undefined>> = {
  ...rowsOf("/api/ecosystems", () => ({})),
  ...rowsOf("/api/environments", IN_ECOSYSTEM),
  ...rowsOf("/api/users", ({ eco }, count) => ({ ecosystemId: eco, key: `key ${count}` })),
  ...rowsOf("/api/servers", IN_ECOSYSTEM),
  ...rowsOf("/api/zones", ({ env, dev }) => ({ environmentId: env, items: [dev] })),
  ...rowsOf("/api/scenes", ({ env, dev }) => ({ environmentId: env, items: itemsOf(dev) })),
  "POST /api/scenes/capture": IN_ENVIRONMENT,
  "POST /api/scenes/:id/call": ({ dev }) => ({ only: [dev] }),
  ...rowsOf("/api/clients", IN_ENVIRONMENT),
  ...rowsOf("/api/devices", ({ env }) => ({ environmentId: env, services: [{ service: "Switch" }] })),
  ...tokenRowsOf("/api/users"),
  ...tokenRowsOf("/api/servers"),
  ...tokenRowsOf("/api/clients"),
  "GET /api/clients/:id/drivers": none,
  "PUT /api/clients/:id/admissions/:edgeId": none,
  "DELETE /api/clients/:id/admissions/:edgeId": none,
  "POST /api/clients/:id/setups": () => ({ kind: "zigbee" }),
  "GET /api/clients/:id/setups/:setupId": none,
  "PUT /api/clients/:id/setups/:setupId/answers/:number": () => ({ answer: "1234" }),
  "DELETE /api/clients/:id/setups/:setupId": none,
  "GET /api/clients/:id/status": none,
  "GET /api/clients/:id/doctor": none,
  "GET /api/clients/:id/logs": none,
  "GET /api/clients/:id/backups": none,
  "POST /api/clients/:id/backups": none,
  "POST /api/clients/:id/restart": none,
  "GET /api/users/:id/access": none,
  "POST /api/users/:id/access": IN_ENVIRONMENT,
  "DELETE /api/users/:id/access/:accessId": none,
  "GET /api/devices/:id/services": none,
  "GET /api/devices/:id/services/:selector": none,
  "PUT /api/devices/:id/services/:selector": VALUE,
  "GET /api/devices/:id/services/:selector/why": none,
  "GET /api/environments/:id/services": none,
  "GET /api/environments/:id/services/:selector": none,
  "PUT /api/environments/:id/services/:selector": VALUE,
  "GET /api/zones/:id/services/:selector": none,
  "PUT /api/zones/:id/services/:selector": VALUE,
  "GET /api/devices/:id/services/:selector/history": none,
  "GET /api/zones/:id/services/:selector/history": none,
  "GET /api/environments/:id/services/:selector/history": none,
  "GET /api/ecosystems/:id/history-settings": none,
  "PUT /api/ecosystems/:id/history-settings": () => ({ rawDays: 11 }),
  "GET /api/ecosystems/:id/sink": none,
  "PUT /api/ecosystems/:id/sink": () => SILENT_SINK,
  "POST /api/ecosystems/:id/sink/test": none,
  "DELETE /api/ecosystems/:id/sink": none,
  "GET /api/commands/:id": none,
  "GET /api/services": none,
  "GET /api/token": none,
  "GET /api/events": none,
  "GET /api/event-log": none,
  ...rowsOf("/api/webhooks", ({ eco }) => ({ ecosystemId: eco, ...SILENT_WEBHOOK })),
  "PUT /api/webhooks/:id": DESCRIPTION,
  "POST /api/webhooks/:id": DESCRIPTION,
  "POST /api/webhooks/:id/test": none,
  "GET /api/webhooks/:id/deliveries": none,
  "GET /api/webhooks/:id/deliveries/:deliveryId": none,
  "POST /api/webhooks/:id/deliveries/:deliveryId/redeliver": none,
  "POST /api/webhooks/:id/replay": () => ({ since: "2026-01-01 00:00:00Z" }),
  "GET /api/accounts/login/code/:userCode": none,
  "POST /api/accounts/login/code/:userCode/approve": none,
  "POST /api/accounts/login/code/:userCode/deny": none,
  "GET /api/pairings/:userCode": none,
  "POST /api/pairings/:userCode/approve": IN_ENVIRONMENT,
  "POST /api/pairings/:userCode/deny": none,
  "GET /api/requests": none,
  "GET /api/activity": none,
  "GET /api/audit": none,
  "GET /api/alerts": none,
  "GET /api/account/alerts": none,
  "PUT /api/account/alerts": () => ({ email: true }),
  "POST /api/account/alerts/test": ({ eco }) => ({ ecosystemId: eco }),
  "GET /api/quotas": none,
  "GET /api/usage": none,
  "GET /api/account": none,
  "PUT /api/account": () => ({ name: "Ada", currentPassword: "correct horse battery" }),
  "DELETE /api/account": () => ({ currentPassword: "correct horse battery" }),
  "POST /api/account/export": () => ({ currentPassword: "correct horse battery" }),
  "GET /api/account/export": none,
  "GET /api/account/export/archive": none,
  "GET /api/account/tokens": none,
  "GET /api/account/grants": none,
  "DELETE /api/account/tokens/:tokenId": none,
  "POST /api/accounts/logout": none,
};

/** Public routes: their requests without a credential are refused or answered alike with every credential. */
export const OPEN: Readonly<Record<string, object | undefined>> = {
  "POST /api/accounts": { email: "nobody" },
  "POST /api/accounts/login": { email: "nobody@example.com", password: "not the password" },
  "POST /api/accounts/verify": { code: "nonsense" },
  "POST /api/accounts/password-reset/confirm": { code: "nonsense", password: "correct horse battery" },
  "POST /api/session/token": none,
  "POST /api/accounts/login/code": { nothing: "to say" },
  "POST /api/accounts/login/code/poll": { deviceCode: "nonsense" },
  "POST /api/pairings": { edgeId: "of no hub" },
  "POST /api/pairings/poll": { deviceCode: "nonsense", signature: "AAAA" },
  "GET /healthz": none,
  "GET /readyz": none,
  "GET /api/openapi.json": none,
  // Is never refused; what it leaves for an unused address is as much as for any other.
  "POST /api/accounts/password-reset": { email: "nobody@example.com" },
};

/** `METHOD /path` of every route that takes a credential. */
export const ROUTES: readonly string[] = Object.keys(ROWS);

/** Routes that a refusal is asked of: on SQLite all; on PostgreSQL, which is asked the same by the same code, every ninth, and at length all. */
export function routesRefusing(on: StoreName): readonly string[] {
  return on === "SQLite" ? ROUTES : ROUTES.filter((_, at) => at % rounds(9, 1) === 0);
}

/** What the row of a route sends, with another text at one of its places. */
export function askOf(route: string, own: Belongings, count: number, place?: Place, text = ""): Ask {
  const [method, path = ""] = route.split(" ");
  const at = (where: Place["in"], name: string) => place?.in === where && place.name === name;
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(at("path", name) ? text : ownAt(path, name, own)),
  );
  const query = place?.in === "query" ? `?${place.name}=${encodeURIComponent(text)}` : "";
  const body = ROWS[route]?.(own, count);
  const inBody = place?.in === "body" || place?.in === "read back";
  const changed = inBody ? { ...body, [place.name]: fieldWith(place, text) } : body;
  return {
    // The rows above are routes.
    method: method as Method,
    url: `${url}${query}`,
    ...(changed && { body: changed }),
  };
}

/** A field of a body that has the text where an ID can stand in it. */
function fieldWith({ name, kind }: Place, text: string): unknown {
  if (name === "items" && kind === "target") return itemsOf(text);
  if (name === "triggers") return [{ kind: "event", deviceId: text, service: "Button.event", value: "press" }];
  return ["items", "targets", "only"].includes(name) ? [text] : text;
}

/** Items of a scene. */
function itemsOf(target: string): readonly object[] {
  return [{ target, service: "Switch.on", value: true }];
}

/** What an open route is sent. */
export function openAsk(route: string): Ask {
  const [method, url = ""] = route.split(" ");
  const body = OPEN[route];
  return { method: method as Method, url, ...(body && { body }) };
}

const OF_PATH: Readonly<Record<string, Kind>> = {
  ecosystems: "eco",
  environments: "env",
  zones: "zon",
  scenes: "scn",
  devices: "dev",
  users: "usr",
  servers: "srv",
  clients: "cli",
  commands: "cmd",
  webhooks: "whk",
};

function ownAt(path: string, name: string, own: Belongings): string {
  const collection = path.split("/")[2] ?? "";
  if (name === "selector") return "Switch.on";
  if (name === "edgeId") return "02-00-00-00-00-77";
  if (name === "setupId") return "q2hqY29mZmVlMTIz";
  if (name === "number") return "1";
  if (name === "accessId") return own.acs;
  if (name === "deliveryId") return own.dlv;
  if (name === "userCode") return path.includes("/login/code/") ? own.logInCode : own.userCode;
  if (name === "id") return own[OF_PATH[collection] ?? "eco"];
  if (collection === "account") return own.login;
  return own[`${OF_PATH[collection] ?? "usr"}Tok` as "usrTok" | "srvTok" | "cliTok"];
}

function rowsOf(path: string, body: Body): typeof ROWS {
  return {
    [`GET ${path}`]: none,
    [`POST ${path}`]: body,
    [`GET ${path}/:id`]: none,
    [`PUT ${path}/:id`]: CHANGE,
    [`DELETE ${path}/:id`]: none,
  };
}

function tokenRowsOf(path: string): typeof ROWS {
  return {
    [`GET ${path}/:id/tokens`]: none,
    [`POST ${path}/:id/tokens`]: none,
    [`DELETE ${path}/:id/tokens/:tokenId`]: none,
  };
}
