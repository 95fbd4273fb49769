/** Request parameters in the OpenAPI document: path, query, and the headers that a route reads. */
import { auditActors, HISTORY_AGGREGATES, HISTORY_RESOLUTIONS } from "@porchlight/shared/api";
import { LOG_LEVELS, MOST_LOG_MINUTES } from "@porchlight/shared/model";
import { hasMeta, type Json, showsMeta } from "./openapi-schemas.ts";
import type { Route } from "./routing/route.ts";

interface HeaderRow {
  readonly name: string;
  readonly description: string;
  readonly schema: Json;
  /** Whether a route reads the header. */
  readonly on: (route: Route) => boolean;
}

const visible = (max: number): Json => ({ type: "string", minLength: 1, maxLength: max });

/** Request headers beyond `authorization` and `content-type`, which OpenAPI describes elsewhere. */
const HEADERS: readonly HeaderRow[] = [
  {
    name: "x-api-version",
    description: "The API version that the program was written for. It is recorded; every value is accepted",
    schema: { type: "string", examples: ["v0"] },
    on: ({ path }) => path.startsWith("/api/"),
  },
  {
    name: "x-request-id",
    description: "An ID of your own for this request: 1 to 64 of `A-Za-z0-9._-`; anything else is replaced",
    schema: { type: "string" },
    on: () => true,
  },
  {
    name: "x-system-metadata-prefix",
    description: "Prefix of system metadata in this request and its answer: printable ASCII without quotes",
    schema: { type: "string", default: "$.", minLength: 1, maxLength: 16 },
    on: hasMetadata,
  },
  {
    name: "if-none-match",
    description: "Entity tags that you have. The answer is 304 if the object still has one of them",
    schema: { type: "string", examples: ['"3"'] },
    on: isConditionalRead,
  },
  {
    name: "if-match",
    description: "Entity tags. The answer is 412 unless the object still has one of them",
    schema: { type: "string", examples: ['"3"'] },
    on: ({ errors }) => errors?.includes("Precondition Failed") ?? false,
  },
  {
    name: "prefer",
    description:
      "`wait=SECONDS`, 1 to 60: how long to wait for devices (RFC 7240); for one property of one device also `respond-async`",
    schema: { type: "string", examples: ["wait=10"] },
    on: ({ waitsForDevices = false }) => waitsForDevices,
  },
  {
    name: "x-porchlight-trace",
    description: "`1`: the answer has the time spent at each hop in `server-timing`",
    schema: { type: "string", examples: ["1"] },
    on: ({ isTraced = false }) => isTraced,
  },
  {
    name: "x-current-password",
    description: "The current password, instead of `currentPassword` in the body",
    schema: { type: "string" },
    on: ({ headers = [] }) => headers.includes("x-current-password"),
  },
  {
    name: "range",
    description: "`bytes=FIRST-LAST` or `bytes=FIRST-`: only these bytes. Anything else gets the whole",
    schema: { type: "string", examples: ["bytes=1048576-"] },
    on: ({ hasRanges = false }) => hasRanges,
  },
  {
    name: "if-range",
    description: "The `etag` of which you have a part. `range` counts only if it is still the same",
    schema: { type: "string" },
    on: ({ hasRanges = false }) => hasRanges,
  },
  {
    name: "last-event-id",
    description: "Sequence of the last event that you received: the stream continues after it",
    schema: { type: "string", examples: ["4711"] },
    on: ({ query }) => query.includes("lastEventId"),
  },
  {
    name: "idempotency-key",
    description: "A key of your own. A repeat with the same key and body within 24 hours has no second effect",
    schema: visible(255),
    on: ({ takesIdempotencyKey = false }) => takesIdempotencyKey,
  },
];

const QUERY: Readonly<Record<string, { readonly description: string; readonly schema: Json }>> = {
  pageSize: { description: "Items a page", schema: { type: "integer", minimum: 1, maximum: 1000, default: 1000 } },
  continuationToken: {
    description: "From the previous page, for the next page of the same query",
    schema: { type: "string" },
  },
  ecosystemId: { description: "Only what is in this ecosystem", schema: visible(1024) },
  environmentId: { description: "Only what is in this environment", schema: visible(1024) },
  deviceId: { description: "Only what is about this device", schema: visible(1024) },
  state: { description: "Only what is in this state", schema: { type: "string", enum: ["open", "ended"] } },
  zoneId: { description: "Only what is in this zone, or in a zone within it", schema: visible(1024) },
  tokenId: { description: "Only requests with this token", schema: visible(1024) },
  type: { description: "Only devices of this type", schema: { type: "string", enum: ["physical", "virtual"] } },
  types: {
    description: "Only events of these types: types and `prefix.*`, comma-separated",
    schema: { type: "string", examples: ["property.changed,device.*"] },
  },
  snapshot: {
    description:
      "Begin with one `snapshot` event: all current items, and the sequence of the newest event that they include",
    schema: { type: "boolean", default: false },
  },
  lastEventId: {
    description:
      "Only events after this sequence; by default only new ones. The header `last-event-id` takes precedence",
    schema: { type: "integer", minimum: 0 },
  },
  after: {
    description:
      "Events: only those with a greater sequence. Setups: the `version` that you have; the answer waits for a newer one, for the time in `prefer`",
    schema: { type: "integer", minimum: 0 },
  },
  order: {
    description: "Which come first",
    schema: { type: "string", enum: ["oldest", "newest"], default: "oldest" },
  },
  requestId: { description: "Only the request with this ID: `x-request-id` of its answer", schema: visible(64) },
  status: {
    description: "Only answers with this HTTP status, or of this class",
    schema: { type: "string", pattern: "^[1-5](?:\\d\\d|xx)$", examples: ["404", "4xx"] },
  },
  method: {
    description: "Only requests with this method",
    schema: { type: "string", pattern: "^[A-Z]{1,16}$", examples: ["PUT"] },
  },
  path: {
    description: "Only requests whose path or route contains this text",
    schema: { type: "string", minLength: 1, maxLength: 200, examples: ["/api/devices"] },
  },
  actor: { description: "Only actions of this kind of actor", schema: { type: "string", enum: [...auditActors] } },
  action: {
    description: "Only this action, or all actions on one kind of object",
    schema: { type: "string", examples: ["zone.created", "zone.*"] },
  },
  since: {
    description: "Only what happened at this time or later",
    schema: { type: "string", examples: ["2026-11-05 14:03:07Z"] },
  },
  until: {
    description: "Only what happened before this time",
    schema: { type: "string", examples: ["2026-11-05 14:03:07Z"] },
  },
  from: {
    description: "Only what was so at this time or later; 24 hours before `to` by default",
    schema: { type: "string", examples: ["2026-11-05 14:03:07Z"] },
  },
  to: {
    description: "Only what was so before this time; now by default",
    schema: { type: "string", examples: ["2026-11-06 14:03:07Z"] },
  },
  resolution: {
    description: "Each change, or statistics of steps of this length; by default one that gives some hundred points",
    schema: { type: "string", enum: [...HISTORY_RESOLUTIONS] },
  },
  aggregate: {
    description: `Only these statistics of a step, comma-separated: ${HISTORY_AGGREGATES.join(", ")}`,
    schema: { type: "string", examples: ["mean,max"] },
  },
  timeZone: {
    description: "Whose days and months they are, with `resolution` `1d` and `1mo`: a name of the IANA database",
    schema: { type: "string", default: "UTC", examples: ["Europe/Berlin"] },
  },
  stepMinutes: {
    description: "Length of a step in minutes; steps begin at multiples of it since 1970, UTC",
    schema: { type: "integer", minimum: 1, maximum: 1440, default: 1 },
  },
  minutes: {
    description: "How far back, minutes",
    schema: { type: "integer", minimum: 1, maximum: MOST_LOG_MINUTES, default: 15 },
  },
  level: {
    description: "The lowest level that is returned",
    schema: { type: "string", enum: [...LOG_LEVELS], default: "info" },
  },
  before: {
    description: "Only events with a smaller sequence than this",
    schema: { type: "integer", minimum: 0, examples: [4711] },
  },
  reveal: {
    description: "Whether the tokens themselves are shown, which is recorded in the audit log",
    schema: { type: "boolean", default: true },
  },
  refresh: {
    description: "Ask the devices now, instead of returning the last known values",
    schema: { type: "boolean", default: false },
  },
  maxAge: {
    description: "Ask only for values that were not observed within this many seconds",
    schema: { type: "integer", minimum: 0, maximum: 86_400 },
  },
};

const PATH: Readonly<Record<string, { readonly description: string; readonly schema: Json }>> = {
  selector: {
    description: "`SERVICE`, `SERVICE.PROPERTY`, `SERVICE:INDEX` or `SERVICE:INDEX.PROPERTY`",
    schema: { type: "string", examples: ["LightColor.hue"] },
  },
  name: {
    description: "Name of the error, in lower case and with hyphens",
    schema: { type: "string", examples: ["hub-offline"] },
  },
  userCode: { description: "The code that the hub or the program shows", schema: { type: "string" } },
};

/** Headers for `components.parameters`, to which routes refer. */
export function headerParameters(): Json {
  return Object.fromEntries(
    HEADERS.map(({ name, description, schema }) => [name, { name, in: "header", description, schema }]),
  );
}

export function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    ...(PATH[name] ?? {
      description: `ID or reference of ${name === "id" ? "the object" : `the ${word(name)}`}`,
      schema: visible(1024),
    }),
  }));
  const inQuery = route.query.map((name) => ({ name, in: "query", ...queryOf(route, name) }));
  const inHeaders = HEADERS.filter(({ on }) => on(route)).map(({ name }) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function queryOf({ largestPage }: Route, name: string): Json {
  if (name !== "pageSize" || largestPage === undefined) return QUERY[name] ?? { schema: { type: "string" } };
  return {
    description: "Points a page",
    schema: { type: "integer", minimum: 1, maximum: largestPage, default: largestPage },
  };
}

/** Whether a route reads or writes metadata. */
export function hasMetadata(route: Route): boolean {
  return hasMeta(route.body?.schema) || Object.values(route.answers).some(showsMeta);
}

/** A GET of one object with an entity tag. */
export function isConditionalRead({ method, answers, isSameForAll = false, isHashed }: Route): boolean {
  return method === "GET" && (isSameForAll || isHashed === true || hasMeta(answers[200]));
}

/** The noun of a parameter; `accessId` is that of an access entry. */
function word(parameter: string): string {
  const name = parameter.replace(/Id$/, "");
  return name === "access" ? "access entry" : name;
}
