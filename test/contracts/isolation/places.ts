/** Where in a request an ID can stand, read out of the OpenAPI document; each name must be listed here as an ID or as none. */
import type { Route } from "@porchlight/cloud/http/routing/route.ts";
import type { Kind } from "./belongings.ts";

export type Where = "path" | "query" | "body" | "header" | "read back";

export interface Place {
  readonly route: string;
  readonly in: Where;
  readonly name: string;
  /** The kind that is named there; an item of a zone and a target of a scene are a zone or a device. */
  readonly kind: Kind | "item" | "target";
}

/** Something of a request that is no place of an ID but stands for one owner's things. */
export interface Point {
  readonly route: string;
  readonly in: Where;
  readonly name: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly in: "path" | "query" | "header";
  readonly name: string;
}
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** What `:id` names under a collection, and what its tokens are of. */
const COLLECTIONS: Readonly<Record<string, { readonly kind: Kind; readonly tokens?: Kind }>> = {
  ecosystems: { kind: "eco" },
  environments: { kind: "env" },
  zones: { kind: "zon" },
  scenes: { kind: "scn" },
  devices: { kind: "dev" },
  users: { kind: "usr", tokens: "usrTok" },
  servers: { kind: "srv", tokens: "srvTok" },
  clients: { kind: "cli", tokens: "cliTok" },
  commands: { kind: "cmd" },
  webhooks: { kind: "whk" },
  account: { kind: "login", tokens: "login" },
};

const NAMED: Readonly<Record<string, Place["kind"]>> = {
  ecosystemId: "eco",
  environmentId: "env",
  zoneId: "zon",
  deviceId: "dev",
  clientId: "cli",
  accessId: "acs",
  deliveryId: "dlv",
  items: "item",
  targets: "target",
  only: "dev",
  // The device of the button.
  triggers: "dev",
};

/** Good for one owner only, and tried apart from IDs. */
export const OWNERS_OWN = ["continuationToken", "if-match", "if-none-match", "idempotency-key"] as const;

/** What stands for nothing that an account owns. */
const NO_ID: Readonly<Record<string, readonly string[]>> = {
  "words and numbers of a query": [
    "pageSize",
    "order",
    "type",
    "status",
    "since",
    "until",
    "refresh",
    "reveal",
    "maxAge",
    "minutes",
    "stepMinutes",
    "level",
    "method",
    "path",
    "actor",
    "action",
    "from",
    "to",
    "resolution",
    "aggregate",
    "timeZone",
  ],
  "a name that whoever asked has made up; only the caller's own requests are looked through": ["requestId"],
  "which events, and from where on": ["types", "snapshot", "lastEventId", "last-event-id", "before"],
  "a service and a property": ["selector"],
  "headers that say how, not what": [
    "x-api-version",
    "x-request-id",
    "x-system-metadata-prefix",
    "x-porchlight-trace",
    "prefer",
  ],
  "who somebody is, before anybody is known": [
    "email",
    "password",
    "currentPassword",
    "x-current-password",
    "code",
    "name",
    "emailVerified",
  ],
  "kinds of log-in": ["keepMeLoggedIn", "console", "session"],
  "names and data of the object itself": ["alias", "meta", "key", "createdAt", "edgeId"],
  "where a home is": ["timeZone", "location"],
  "what a device has and says": ["services", "value", "report"],
  "where events are sent to, and which": ["url", "secret", "description", "disabled", "events", "lastDelivery"],
  "where values are written to, and how": ["token", "measurementPrefix"],
  "which alerts an account is told, and which are listed": [
    "state",
    "hubOffline",
    "batteryLow",
    "webhookFailing",
    "quotaNear",
    "quietHours",
  ],
  "which bytes of the caller's own archive": ["range", "if-range"],
  "how long": ["expiresInSeconds", "ttlSeconds", "enabled", "rawDays", "statisticsDays"],
  "a hub's own setups, which no other client of anybody has": ["kind", "setupId", "number", "answer", "after"],
  "a hub that pairs, and its codes": ["agentVersion", "publicKey", "deviceCode", "signature", "userCode"],
};
const WITHOUT_ID = new Set(Object.values(NO_ID).flat());

/** Every point of every request, from the document; what a PUT takes back unchanged, from the routes. */
export function pointsOf(document: Document, routes: readonly Route[]): Point[] {
  const points: Point[] = [];
  for (const { method, path, body } of routes) {
    const route = `${method} ${path}`;
    const operation = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    if (!operation) throw new Error(`the document has no ${route}`);
    for (const parameter of operation.parameters ?? []) {
      const { in: where, name } = parameter.$ref
        ? (document.components.parameters[last(parameter.$ref)] ?? parameter)
        : parameter;
      points.push({ route, in: where, name });
    }
    for (const name of Object.keys(propertiesOf(document, operation))) points.push({ route, in: "body", name });
    for (const name of body?.readOnly ?? []) points.push({ route, in: "read back", name });
  }
  return points;
}

/** The kind of object that is named where an entry of a list is: a device, of the two that it can be. */
export function namedKind(kind: Place["kind"]): Kind {
  return kind === "item" || kind === "target" ? "dev" : kind;
}

/** @throws Error when this file does not state whether an ID can stand there */
export function placesOf(points: readonly Point[]): Place[] {
  return points.flatMap((point) => {
    const kind = kindAt(point);
    if (kind !== undefined) return [{ ...point, kind }];
    if (OWNERS_OWN.some((name) => name === point.name) || WITHOUT_ID.has(point.name)) return [];
    throw new Error(`${point.route}: nobody has said whether an ID can stand at \`${point.name}\` in its ${point.in}`);
  });
}

function kindAt({ route, in: where, name }: Point): Place["kind"] | undefined {
  const collection = COLLECTIONS[/\/api\/(\w+)/.exec(route)?.[1] ?? ""];
  if (name === "tokenId") return where === "query" ? "usrTok" : collection?.tokens;
  if (name === "id") return collection?.kind;
  if (name === "items" && collection?.kind === "scn") return "target";
  return NAMED[name];
}

function propertiesOf(document: Document, { requestBody }: Operation): Readonly<Record<string, unknown>> {
  const schema = requestBody?.content["application/json"]?.schema;
  if (!schema) return {};
  return (schema.$ref ? document.components.schemas[last(schema.$ref)]?.properties : schema.properties) ?? {};
}

function last(pointer: string): string {
  return pointer.split("/").at(-1) ?? "";
}
