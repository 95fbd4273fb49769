/** Answers in the OpenAPI document: each success with its body and headers, the errors of each status by name, with an example. */
import { ERRORS, type ErrorName, NamedError, TOKEN_REFERENCE_STATUS } from "@porchlight/shared/kernel";
import { PROBLEM_TYPE, problemBody } from "@porchlight/shared/rest";
import type { z } from "zod";
import { hasMetadata, isConditionalRead } from "./openapi-parameters.ts";
import { hasMeta, type Json, type Schemas } from "./openapi-schemas.ts";
import type { Route } from "./routing/route.ts";

/** Answer headers, for `components.headers`; each use states whether the header is always present. */
const ANSWER_HEADERS = {
  "x-request-id": "ID of the request: your own, or a generated one",
  "x-api-version": "The API version that answered",
  etag: "Version of what a PUT can change, or hash of the answer: for `if-match` and `if-none-match`; of an archive, its identity: for `if-range`",
  location: "Path of the new object",
  "x-command-id": "The command that carries the write: `GET /api/commands/{id}`",
  "server-timing": "Time spent at each hop, if `x-porchlight-trace` asks for it",
  "preference-applied": "The part of `prefer` that was applied",
  "retry-after": "Seconds after which the same request may succeed",
  "www-authenticate": "`Bearer`",
  "set-cookie": "The cookie of a log-in, or its end",
  "idempotent-replayed": "`true` if this is the stored answer to the first request with the key",
  ratelimit: "What is left of the rate limit (absent while limits are off)",
  "ratelimit-policy": "The rate limit (absent while limits are off)",
  deprecation: "When a newer version replaced this one (RFC 9745)",
  sunset: "When this version ends (RFC 8594)",
} as const;

type AnswerHeader = keyof typeof ANSWER_HEADERS;

export function answersOf(route: Route, schemas: Schemas, problem: Json): Json {
  return { ...successes(route, schemas), ...failures(route, problem) };
}

function successes(route: Route, schemas: Schemas): Json {
  const made = Object.entries(route.answers).map(([status, schema]): [string, Json] => [
    status,
    {
      description: descriptionOf(route, Number(status), schema),
      headers: headersOf(route, Number(status)),
      ...contentOf(route, schema, schemas),
    },
  ]);
  if (isConditionalRead(route) && !(304 in route.answers))
    made.push(["304", { description: "The object has not changed", headers: headersOf(route, 304) }]);
  return Object.fromEntries(made);
}

function contentOf({ media, otherMedia = [] }: Route, schema: z.ZodType | undefined, schemas: Schemas): Json {
  const text = { schema: { type: "string" } };
  if (media !== undefined) return { content: { [media]: text } };
  if (!schema) return {};
  const others = Object.fromEntries(otherMedia.map((each) => [each, text]));
  return { content: { "application/json": { schema: schemas.of(schema, "output") }, ...others } };
}

function descriptionOf(
  { method, media, waitsForDevices }: Route,
  status: number,
  schema: z.ZodType | undefined,
): string {
  if (status === 201) return "Created";
  if (status === 202) return "Accepted and in progress";
  if (status === 206) return "The requested range of bytes";
  if (status === 200 && method === "PUT" && waitsForDevices) return "Confirmed by the devices";
  return schema || media ? "The requested data" : "Done";
}

/** Whether each header is always present. */
type Present = Partial<Record<AnswerHeader, boolean>>;

const COMMON: Present = { "x-request-id": true, "x-api-version": true, deprecation: false, sunset: false };

function headersOf(route: Route, status: number): Json {
  const { method, answers, body, commandId } = route;
  const present: Present = { ...COMMON };
  if (route.tokens || route.limit) Object.assign(present, { ratelimit: false, "ratelimit-policy": false });
  if (route.setsCookie) present["set-cookie"] = false;
  if (isConditionalRead(route) && (status === 200 || status === 304)) present.etag = !route.isHashed || status === 304;
  if (status === 201 && hasMeta(answers[201])) present.etag = true;
  if (status === 200 && method === "PUT" && !answers[200] && hasMeta(body?.schema)) present.etag = true;
  if (route.hasRanges) present.etag = true;
  if (route.waitsForDevices) present["preference-applied"] = false;
  if (status === route.location) present.location = true;
  if (commandId) present["x-command-id"] = commandId === "always";
  if (route.isTraced) present["server-timing"] = false;
  if (route.takesIdempotencyKey) present["idempotent-replayed"] = false;
  return headers(present);
}

function headers(present: Present): Json {
  return Object.fromEntries(
    Object.entries(present).map(([name, required]) => [
      name,
      { $ref: `#/components/headers/${name}${required ? ".required" : ""}` },
    ]),
  );
}

/** For `components.headers`: the definition of a header that is always present states that. */
export function headerComponents(): Json {
  return Object.fromEntries(
    Object.entries(ANSWER_HEADERS).flatMap(([name, description]) => [
      [name, { description, schema: { type: "string" } }],
      [`${name}.required`, { description, required: true, schema: { type: "string" } }],
    ]),
  );
}

function failures(route: Route, problem: Json): Json {
  const byStatus = new Map<number, Set<ErrorName>>();
  const add = (status: number, name: ErrorName) => byStatus.set(status, (byStatus.get(status) ?? new Set()).add(name));
  for (const name of errorsOf(route)) add(ERRORS[name].status, name);
  if (route.path.includes(":tokenId") || route.query.includes("tokenId")) add(TOKEN_REFERENCE_STATUS, "Token Invalid");
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: [...names].join(" · "),
        headers: headers(failureHeaders(route, status, names)),
        content: {
          [PROBLEM_TYPE]: {
            schema: { allOf: [problem, { properties: { title: { enum: [...names] }, status: { const: status } } }] },
            examples: Object.fromEntries(
              [...names].map((name) => [
                exampleOf(name, status),
                { $ref: `#/components/examples/${exampleOf(name, status)}` },
              ]),
            ),
          },
        },
      },
    ]),
  );
}

function failureHeaders(route: Route, status: number, names: ReadonlySet<ErrorName>): Present {
  const present: Present = { ...COMMON };
  if (status === 401) present["www-authenticate"] = true;
  if (route.tokens || route.limit) Object.assign(present, { ratelimit: false, "ratelimit-policy": false });
  if (status === 429 || status === 409) present["retry-after"] = true;
  if (status === 503 || names.has("Pairing Slow Down") || names.has("Login Slow Down")) present["retry-after"] = false;
  if (route.commandId) present["x-command-id"] = false;
  if (route.isTraced) present["server-timing"] = false;
  if (route.takesIdempotencyKey && status < 500) present["idempotent-replayed"] = false;
  return present;
}

/** For `components.examples`: each error as its problem document. */
export function exampleComponents(publicUrl: string | undefined): Json {
  const example = (name: ErrorName, status?: number) => ({
    summary: ERRORS[name].cause,
    value: problemBody(new NamedError(name, undefined, { status }), "5d2f0c8e41ab-1x", publicUrl),
  });
  const names = Object.keys(ERRORS).filter(isName);
  return Object.fromEntries([
    ...names.map((name) => [exampleOf(name, ERRORS[name].status), example(name)]),
    [exampleOf("Token Invalid", TOKEN_REFERENCE_STATUS), example("Token Invalid", TOKEN_REFERENCE_STATUS)],
  ]);
}

function exampleOf(name: ErrorName, status: number): string {
  const key = name.replaceAll(/[ -]/g, "");
  return name === "Token Invalid" && status === TOKEN_REFERENCE_STATUS ? `${key}Reference` : key;
}

/** The route's own errors, and those that its declaration implies. */
function errorsOf(route: Route): ErrorName[] {
  const names: ErrorName[] = [
    "Host Invalid",
    "No Query String Allowed",
    "Rate Limit Exceeded",
    ...(route.errors ?? []),
  ];
  if (route.tokens) names.push("Token Missing", "Token Invalid", "Token Expired", "Token Type Not Allowed");
  if (typeof route.whenFull === "string") names.push("Quota Exceeded");
  if (route.needsVerifiedAddress) names.push("Address Not Verified");
  if (route.query.length > 0) names.push("Query Parameter Invalid");
  if (route.query.includes("pageSize")) names.push("Page Size Invalid", "Continuation Token Invalid");
  if (hasMetadata(route)) names.push("Metadata Prefix Invalid");
  if (route.takesIdempotencyKey) names.push("Idempotency Key Invalid", "Idempotency Key In Use");
  if (route.takesIdempotencyKey && canDiffer(route)) names.push("Idempotency Key Reused");
  if (route.method !== "GET") names.push("Body Too Large");
  if (route.body) {
    names.push("Body Parameters Missing", "Body Parameters Invalid");
    for (const field of Object.values<z.ZodType>(route.body.schema.shape)) {
      const own = field.meta() ?? {};
      for (const name of [own["x-missing"], own["x-invalid"]]) if (isName(name)) names.push(name);
    }
  }
  if (route.tokens || route.limit) names.push("Service Unavailable");
  return [...new Set<ErrorName>([...names, "Internal Error"])];
}

/** Whether two valid bodies can differ. */
function canDiffer({ body }: Route): boolean {
  return body !== undefined && Object.keys(body.schema.shape).length > 0;
}

function isName(name: unknown): name is ErrorName {
  return typeof name === "string" && Object.hasOwn(ERRORS, name);
}
