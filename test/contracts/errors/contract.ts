/**
 * The API's contract, written down a second time by hand from its text: which credentials, query parameters and errors each
 * route has. Nothing here is made from the code, so that a forgotten error or kind of token shows.
 */
import type { ErrorName } from "@porchlight/shared/kernel";

/** A account, S server, U user. */
type Tokens = "A" | "A S" | "A S U";

export interface Row {
  /** Undefined: any caller. */
  readonly tokens?: Tokens;
  readonly query?: readonly string[];
  /** An `object` is a body with alias and metadata; `nothing to say` is a body that may be left out and has no field. */
  readonly body?: "object" | "fields" | "nothing to say";
  /** Whether its answer has metadata. */
  readonly shows?: "meta";
  /** Whether `if-match` is looked at. */
  readonly matches?: true;
  /** Whether it can be answered without the store. */
  readonly storeless?: true;
  /** Those of the route itself. */
  readonly errors?: readonly ErrorName[];
}

const PAGING = ["pageSize", "continuationToken"] as const;
const REQUEST_FILTERS = ["status", "method", "path", "since", "until", "tokenId", "requestId"] as const;
const READING = ["refresh", "maxAge"] as const;
const HISTORY = ["from", "to", "resolution", "aggregate", "timeZone", ...PAGING];

const ECOSYSTEM: readonly ErrorName[] = ["Ecosystem Invalid", "Ecosystem Not Found"];
const IN_ECOSYSTEM: readonly ErrorName[] = [...ECOSYSTEM, "Ecosystem Missing"];
const ENVIRONMENT: readonly ErrorName[] = ["Environment Invalid", "Environment Not Found", "Access Denied"];
const IN_ENVIRONMENT: readonly ErrorName[] = [...ENVIRONMENT, "Environment Missing"];
const ZONE: readonly ErrorName[] = ["Zone Invalid", "Zone Not Found", "Access Denied"];
const ITEMS: readonly ErrorName[] = ["Zone Item Invalid", "Zone Item Not Found", "Quota Exceeded"];
const SCENE: readonly ErrorName[] = ["Scene Invalid", "Scene Not Found", "Access Denied"];
const TARGETS: readonly ErrorName[] = ["Scene Item Invalid", "Scene Item Not Found"];
/** What a scene sets, and what calls it. */
const CONTENTS: readonly ErrorName[] = [
  ...[...TARGETS, "Scene Trigger Invalid" as const, "Device Invalid" as const, "Device Not Found" as const],
  ...(["Service Not Found", "Service Property Invalid", "Property Not Writable", "Property Value Invalid"] as const),
];
const DEVICE: readonly ErrorName[] = ["Device Invalid", "Device Not Found", "Access Denied"];
const USER: readonly ErrorName[] = ["User Invalid", "User Not Found"];
const SERVER: readonly ErrorName[] = ["Server Invalid", "Server Not Found"];
const CLIENT: readonly ErrorName[] = ["Client Invalid", "Client Not Found", "Access Denied"];
const CLIENT_OF_ALL: readonly ErrorName[] = ["Client Invalid", "Client Not Found"];
const TOKEN: readonly ErrorName[] = ["Token Invalid", "Token Not Found"];
const SELECTOR: readonly ErrorName[] = ["Service Not Found", "Service Property Invalid"];
const HUB: readonly ErrorName[] = ["Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected"];

/** Requests to the hub itself. */
const OF_HUB: readonly ErrorName[] = [...CLIENT, "Hub Offline", "Hub Timeout", "Hub Outdated"];
const OF_HUB_ITSELF: readonly ErrorName[] = [...OF_HUB, "Hub Rejected"];
const SETUP: readonly ErrorName[] = [...OF_HUB, "Setup Not Found"];

const WEBHOOK: readonly ErrorName[] = ["Webhook Invalid", "Webhook Not Found"];
const DELIVERY: readonly ErrorName[] = [...WEBHOOK, "Delivery Invalid", "Delivery Not Found"];
const SINK: readonly ErrorName[] = [...ECOSYSTEM, "Sink Not Found"];
const CALLBACK: readonly ErrorName[] = [
  "Webhook Callback Missing",
  "Webhook Callback Invalid",
  "Webhook Events Invalid",
];
const CODE_LOG_IN: readonly ErrorName[] = ["Login Code Invalid", "Login Expired"];
const PAIRING: readonly ErrorName[] = ["Pairing Code Invalid", "Pairing Expired"];

const read = (tokens: Tokens, errors: readonly ErrorName[] = []): Row => ({ tokens, shows: "meta", errors });
const change = (tokens: Tokens, errors: readonly ErrorName[]): Row => ({
  ...{ tokens, body: "object", matches: true, errors: [...errors, "Quota Exceeded"] },
});
const end = (tokens: Tokens, errors: readonly ErrorName[]): Row => ({ tokens, matches: true, errors });

/** Tokens of a subject. */
function tokensOf(
  path: string,
  tokens: Tokens,
  errors: readonly ErrorName[],
  body: NonNullable<Row["body"]>,
  query: readonly string[] = PAGING,
): Record<string, Row> {
  return {
    [`GET ${path}/:id/tokens`]: { tokens, query, errors },
    [`POST ${path}/:id/tokens`]: { tokens, body, errors: [...errors, "Quota Exceeded", "Address Not Verified"] },
    [`DELETE ${path}/:id/tokens/:tokenId`]: { tokens, errors: [...errors, ...TOKEN] },
  };
}

/** Reads and writes of properties in a place. */
function propertiesOf(path: string, errors: readonly ErrorName[]): Record<string, Row> {
  const all = [...errors, ...SELECTOR];
  return {
    [`GET ${path}/:id/services/:selector`]: { tokens: "A S U", query: READING, errors: all },
    [`PUT ${path}/:id/services/:selector`]: { tokens: "A S U", body: "fields", errors: all },
    [`GET ${path}/:id/services/:selector/history`]: { tokens: "A S U", query: HISTORY, errors: all },
  };
}

/** A2, in its order. */
export const CONTRACT: Readonly<Record<string, Row>> = {
  "POST /api/accounts": {
    ...{ body: "fields", errors: ["Email Invalid", "Email Exists", "Password Too Weak"] },
  },
  "POST /api/accounts/login": { body: "fields", errors: ["Login Failed", "Email Invalid"] },
  "POST /api/accounts/login/code": { body: "nothing to say" },
  "POST /api/accounts/login/code/poll": {
    body: "fields",
    errors: ["Login Pending", "Login Slow Down", "Login Denied", ...CODE_LOG_IN],
  },
  "GET /api/accounts/login/code/:userCode": { tokens: "A", errors: CODE_LOG_IN },
  "POST /api/accounts/login/code/:userCode/approve": { tokens: "A", errors: [...CODE_LOG_IN, "Address Not Verified"] },
  "POST /api/accounts/login/code/:userCode/deny": { tokens: "A", errors: CODE_LOG_IN },
  "POST /api/session/token": { errors: ["Token Missing", "Token Invalid", "Token Expired", "Access Denied"] },
  "POST /api/accounts/verify": { body: "fields", errors: ["Reset Code Invalid"] },
  "POST /api/accounts/logout": { tokens: "A" },
  "POST /api/accounts/password-reset": { body: "fields", errors: ["Email Invalid"] },
  "POST /api/accounts/password-reset/confirm": {
    ...{ body: "fields", errors: ["Reset Code Invalid", "Password Too Weak"] },
  },
  "GET /api/account": { tokens: "A" },
  "PUT /api/account": {
    ...{ tokens: "A", body: "fields" },
    errors: ["Password Incorrect", "Password Too Weak", "Email Invalid", "Email Exists"],
  },
  "DELETE /api/account": { tokens: "A", body: "fields", errors: ["Password Incorrect"] },
  "POST /api/account/export": { tokens: "A", body: "fields", errors: ["Password Incorrect"] },
  "GET /api/account/export": { tokens: "A" },
  "GET /api/account/export/archive": { tokens: "A", errors: ["Export Not Found"] },
  "GET /api/account/tokens": { tokens: "A", query: PAGING },
  "GET /api/account/grants": { tokens: "A", query: [...PAGING, "order", "since"] },
  "DELETE /api/account/tokens/:tokenId": { tokens: "A", errors: TOKEN },
  "GET /api/token": { tokens: "A S U" },

  "GET /api/ecosystems": { ...read("A S U"), query: PAGING },
  "POST /api/ecosystems": { ...read("A", ["Quota Exceeded"]), body: "object" },
  // By a reference that goes through an environment which is closed to the user.
  "GET /api/ecosystems/:id": read("A S U", [...ECOSYSTEM, "Access Denied"]),
  "PUT /api/ecosystems/:id": change("A", ECOSYSTEM),
  "DELETE /api/ecosystems/:id": end("A", [...ECOSYSTEM, "Last Ecosystem Required"]),

  "GET /api/environments": { ...read("A S U", ECOSYSTEM), query: [...PAGING, "ecosystemId"] },
  "POST /api/environments": { ...read("A S", [...IN_ECOSYSTEM, "Quota Exceeded"]), body: "object" },
  "GET /api/environments/:id": read("A S U", ENVIRONMENT),
  "PUT /api/environments/:id": change("A S U", ENVIRONMENT),
  "DELETE /api/environments/:id": end("A S", ["Environment Invalid", "Environment Not Found"]),
  "GET /api/environments/:id/services": { tokens: "A S U", errors: ENVIRONMENT },
  ...propertiesOf("/api/environments", ENVIRONMENT),

  "GET /api/zones": { ...read("A S U", ENVIRONMENT), query: [...PAGING, "environmentId"] },
  "POST /api/zones": { ...read("A S U", [...IN_ENVIRONMENT, ...ITEMS]), body: "object" },
  "GET /api/zones/:id": read("A S U", ZONE),
  "PUT /api/zones/:id": change("A S U", [...ZONE, ...ITEMS]),
  "DELETE /api/zones/:id": end("A S U", ZONE),
  ...propertiesOf("/api/zones", ZONE),

  "GET /api/scenes": { ...read("A S U", ENVIRONMENT), query: [...PAGING, "environmentId"] },
  "POST /api/scenes": { ...read("A S U", [...IN_ENVIRONMENT, ...CONTENTS, "Quota Exceeded"]), body: "object" },
  "GET /api/scenes/:id": read("A S U", SCENE),
  "PUT /api/scenes/:id": change("A S U", [...SCENE, ...CONTENTS]),
  "DELETE /api/scenes/:id": end("A S U", SCENE),
  "POST /api/scenes/capture": { ...read("A S U", [...IN_ENVIRONMENT, ...TARGETS, "Quota Exceeded"]), body: "object" },
  "POST /api/scenes/:id/call": {
    ...{ tokens: "A S U", body: "fields", errors: [...SCENE, "Device Invalid", "Device Not Found"] },
  },

  "GET /api/devices": {
    ...read("A S U", [...ENVIRONMENT, ...ZONE]),
    query: [...PAGING, "environmentId", "zoneId", "type"],
  },
  "POST /api/devices": {
    ...read("A S U", [...IN_ENVIRONMENT, "Property Value Invalid", "Quota Exceeded"]),
    body: "object",
  },
  "GET /api/devices/:id": read("A S U", DEVICE),
  "PUT /api/devices/:id": change("A S U", DEVICE),
  "DELETE /api/devices/:id": end("A S U", DEVICE),
  "GET /api/devices/:id/services": { tokens: "A S U", errors: DEVICE },
  "GET /api/devices/:id/services/:selector": {
    ...{ tokens: "A S U", query: READING, errors: [...DEVICE, ...SELECTOR, ...HUB] },
  },
  "PUT /api/devices/:id/services/:selector": {
    ...{ tokens: "A S U", body: "fields" },
    errors: [...DEVICE, ...SELECTOR, "Property Not Writable", "Property Value Invalid", ...HUB, "Quota Exceeded"],
  },
  "GET /api/devices/:id/services/:selector/history": {
    ...{ tokens: "A S U", query: HISTORY, errors: [...DEVICE, ...SELECTOR] },
  },
  "GET /api/devices/:id/services/:selector/why": { tokens: "A S U", errors: [...DEVICE, ...SELECTOR] },
  "GET /api/commands/:id": { tokens: "A S U", errors: ["Command Invalid", "Command Not Found", "Access Denied"] },

  "GET /api/users": { ...read("A S", ECOSYSTEM), query: [...PAGING, "ecosystemId"] },
  "POST /api/users": {
    ...read("A S", [...IN_ECOSYSTEM, "User Key Missing", "User Key Exists", "Quota Exceeded"]),
    body: "object",
  },
  "GET /api/users/:id": read("A S", USER),
  "PUT /api/users/:id": change("A S", USER),
  "DELETE /api/users/:id": end("A S", [...USER, "Account User Required"]),
  "GET /api/users/:id/access": { tokens: "A S", query: PAGING, errors: USER },
  "POST /api/users/:id/access": {
    ...{ tokens: "A S", body: "fields" },
    errors: [...USER, "Environment Missing", "Environment Invalid", "Environment Not Found", "Quota Exceeded"],
  },
  "DELETE /api/users/:id/access/:accessId": {
    ...{ tokens: "A S", errors: [...USER, "Access Entry Invalid", "Access Entry Not Found"] },
  },
  ...tokensOf("/api/users", "A S", USER, "fields"),
  ...tokensOf("/api/servers", "A", SERVER, "nothing to say", [...PAGING, "reveal"]),
  ...tokensOf("/api/clients", "A S", CLIENT_OF_ALL, "nothing to say"),

  "GET /api/servers": { ...read("A", ECOSYSTEM), query: [...PAGING, "ecosystemId"] },
  "POST /api/servers": {
    ...read("A", [...IN_ECOSYSTEM, "Quota Exceeded", "Address Not Verified"]),
    body: "object",
  },
  "GET /api/servers/:id": read("A", SERVER),
  "PUT /api/servers/:id": change("A", SERVER),
  "DELETE /api/servers/:id": end("A", SERVER),

  "GET /api/clients": { ...read("A S U", ENVIRONMENT), query: [...PAGING, "environmentId"] },
  "POST /api/clients": { ...read("A S U", [...IN_ENVIRONMENT, "Quota Exceeded"]), body: "object" },
  "GET /api/clients/:id": read("A S U", CLIENT),
  "PUT /api/clients/:id": change("A S U", CLIENT),
  "DELETE /api/clients/:id": end("A S U", CLIENT),
  "GET /api/clients/:id/drivers": { tokens: "A S U", errors: OF_HUB },
  "PUT /api/clients/:id/admissions/:edgeId": {
    ...{ tokens: "A S U", errors: [...OF_HUB, "Device Invalid", "Quota Exceeded"] },
  },
  "DELETE /api/clients/:id/admissions/:edgeId": {
    ...{ tokens: "A S U", errors: [...OF_HUB, "Device Invalid", "Quota Exceeded"] },
  },
  "POST /api/clients/:id/setups": {
    ...{ tokens: "A S U", body: "fields", errors: [...OF_HUB, "Setup Kind Invalid", "Setup In Use", "Quota Exceeded"] },
  },
  "GET /api/clients/:id/setups/:setupId": { tokens: "A S U", query: ["after"], errors: SETUP },
  "PUT /api/clients/:id/setups/:setupId/answers/:number": {
    ...{ tokens: "A S U", body: "fields", errors: [...SETUP, "Setup Answer Invalid"] },
  },
  "DELETE /api/clients/:id/setups/:setupId": { tokens: "A S U", errors: SETUP },
  "GET /api/clients/:id/status": { tokens: "A S U", errors: OF_HUB_ITSELF },
  "GET /api/clients/:id/doctor": { tokens: "A S U", errors: OF_HUB_ITSELF },
  "GET /api/clients/:id/logs": { tokens: "A S U", query: ["minutes", "level"], errors: OF_HUB_ITSELF },
  "GET /api/clients/:id/backups": { tokens: "A S U", errors: OF_HUB_ITSELF },
  "POST /api/clients/:id/backups": { tokens: "A S U", errors: [...OF_HUB_ITSELF, "Quota Exceeded"] },
  "POST /api/clients/:id/restart": { tokens: "A S U", errors: [...OF_HUB_ITSELF, "Quota Exceeded"] },

  "POST /api/pairings": { body: "fields" },
  "POST /api/pairings/poll": {
    body: "fields",
    errors: ["Pairing Pending", "Pairing Slow Down", "Pairing Denied", "Pairing Expired", "Pairing Code Invalid"],
  },
  "GET /api/pairings/:userCode": { tokens: "A S U", errors: PAIRING },
  "POST /api/pairings/:userCode/approve": {
    ...{ tokens: "A S U", body: "fields", shows: "meta" },
    errors: [...PAIRING, ...IN_ENVIRONMENT, "Alias Invalid", "Alias Exists", "Quota Exceeded", "Address Not Verified"],
  },
  "POST /api/pairings/:userCode/deny": { tokens: "A S U", errors: PAIRING },

  "GET /api/webhooks": { tokens: "A S", query: [...PAGING, "ecosystemId"], errors: ECOSYSTEM },
  "POST /api/webhooks": {
    ...{ tokens: "A S", body: "fields" },
    errors: [
      ...IN_ECOSYSTEM,
      "Environment Invalid",
      "Environment Not Found",
      ...CALLBACK,
      "Quota Exceeded",
      "Address Not Verified",
    ],
  },
  "GET /api/webhooks/:id": { tokens: "A S", errors: WEBHOOK },
  "PUT /api/webhooks/:id": { tokens: "A S", body: "fields", errors: [...WEBHOOK, ...CALLBACK, "Quota Exceeded"] },
  "POST /api/webhooks/:id": { tokens: "A S", body: "fields", errors: [...WEBHOOK, ...CALLBACK, "Quota Exceeded"] },
  "DELETE /api/webhooks/:id": { tokens: "A S", errors: WEBHOOK },
  "POST /api/webhooks/:id/test": { tokens: "A S", body: "fields", errors: [...WEBHOOK, "Quota Exceeded"] },
  "GET /api/webhooks/:id/deliveries": { tokens: "A S", query: [...PAGING, "order"], errors: WEBHOOK },
  "GET /api/webhooks/:id/deliveries/:deliveryId": { tokens: "A S", errors: DELIVERY },
  "POST /api/webhooks/:id/deliveries/:deliveryId/redeliver": { tokens: "A S", errors: [...DELIVERY, "Quota Exceeded"] },
  "POST /api/webhooks/:id/replay": { tokens: "A S", body: "fields", errors: [...WEBHOOK, "Quota Exceeded"] },

  "GET /api/events": {
    ...{ tokens: "A S U", query: ["ecosystemId", "environmentId", "types", "snapshot", "lastEventId"] },
    errors: [...IN_ECOSYSTEM, ...ENVIRONMENT],
  },
  "GET /api/event-log": {
    ...{ tokens: "A S U" },
    query: [
      ...[...PAGING, "order", "ecosystemId", "environmentId", "deviceId", "types"],
      ...["since", "until", "after", "before"],
    ],
    errors: [...IN_ECOSYSTEM, ...ENVIRONMENT, ...DEVICE],
  },
  "GET /api/requests": {
    ...{ tokens: "A S", query: [...PAGING, "order", "ecosystemId", ...REQUEST_FILTERS] },
    errors: [...ECOSYSTEM, "Token Invalid"],
  },
  "GET /api/activity": {
    ...{ tokens: "A S", query: [...PAGING, "ecosystemId", "environmentId", "since", "until", "stepMinutes"] },
    errors: ["Ecosystem Missing", ...ECOSYSTEM, "Environment Invalid", "Environment Not Found"],
  },
  "GET /api/ecosystems/:id/history-settings": { tokens: "A S", errors: ECOSYSTEM },
  "PUT /api/ecosystems/:id/history-settings": {
    tokens: "A S",
    body: "fields",
    errors: [...ECOSYSTEM, "Quota Exceeded"],
  },
  "GET /api/ecosystems/:id/sink": { tokens: "A S", errors: SINK },
  "PUT /api/ecosystems/:id/sink": {
    tokens: "A S",
    body: "fields",
    errors: [...ECOSYSTEM, "Address Not Verified", "Quota Exceeded"],
  },
  "DELETE /api/ecosystems/:id/sink": { tokens: "A S", errors: SINK },
  "POST /api/ecosystems/:id/sink/test": { tokens: "A S", errors: [...SINK, "Quota Exceeded"] },
  "GET /api/alerts": {
    tokens: "A S",
    query: [...PAGING, "order", "state", "ecosystemId", "environmentId"],
    errors: [...ECOSYSTEM, "Environment Invalid", "Environment Not Found"],
  },
  "GET /api/account/alerts": { tokens: "A" },
  "PUT /api/account/alerts": { tokens: "A", body: "fields", errors: ["Quota Exceeded"] },
  "POST /api/account/alerts/test": {
    tokens: "A",
    body: "fields",
    errors: ["Ecosystem Missing", ...ECOSYSTEM, "Quota Exceeded"],
  },
  "GET /api/audit": {
    tokens: "A",
    query: [...PAGING, "order", "ecosystemId", "since", "until", "actor", "action"],
    errors: ECOSYSTEM,
  },
  "GET /api/quotas": { tokens: "A S" },
  "GET /api/usage": { tokens: "A" },
  "GET /api/services": { tokens: "A S U" },
  "GET /api/openapi.json": { storeless: true },
  "GET /healthz": { storeless: true },
  "GET /readyz": {},
};

/** Every error of a row, with the errors that A1 gives it by its inputs. */
export function errorsOf(route: string, row: Row): ErrorName[] {
  const { tokens, query = [], body, shows, matches, storeless, errors = [] } = row;
  const writes = !route.startsWith("GET ");
  const isKeyed = tokens !== undefined && (route.startsWith("POST ") || /^PUT .*:selector$/.test(route));
  const when = (holds: boolean, ...names: ErrorName[]) => (holds ? names : []);
  return [
    ...new Set<ErrorName>([
      "Host Invalid",
      "No Query String Allowed",
      "Internal Error",
      "Rate Limit Exceeded",
      ...errors,
      ...when(!storeless, "Service Unavailable"),
      ...when(tokens !== undefined, "Token Missing", "Token Invalid", "Token Expired", "Token Type Not Allowed"),
      ...when(query.length > 0, "Query Parameter Invalid"),
      ...when(query.includes("pageSize"), "Page Size Invalid", "Continuation Token Invalid"),
      ...when(writes, "Body Too Large"),
      ...when(body !== undefined, "Body Parameters Missing", "Body Parameters Invalid"),
      ...when(body === "object", "Alias Invalid", "Alias Exists", "Metadata Format Invalid"),
      ...when(body === "object" || shows === "meta", "Metadata Prefix Invalid"),
      ...when(matches === true, "Precondition Failed"),
      ...when(isKeyed, "Idempotency Key Invalid", "Idempotency Key In Use"),
      ...when(isKeyed && (body === "object" || body === "fields"), "Idempotency Key Reused"),
    ]),
  ];
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  A: ["account", "authentication"],
  S: ["server"],
  U: ["user"],
};

/** Kinds of credential of a row, as the document calls them. */
export function kindsOf({ tokens }: Row): readonly string[] {
  return (tokens?.split(" ") ?? []).flatMap((letter) => KINDS[letter] ?? []);
}
