/** Texts of the errors in the form of a request: path, query, body, metadata, retry. */
import { type ErrorText, sampleId } from "./devices.ts";

const ZONE = `/api/zones/${sampleId("zon")}`;
const DEVICES = `GET /api/devices?environmentId=${sampleId("env")}`;

export const REQUEST_TEXTS = {
  "Body Parameters Missing": {
    why: "A wrong or missing `content-type` also causes this error, even if the JSON is valid. `detail` says which it was.",
    cure: "Send JSON with the header `content-type: application/json`, and include every field that `errors` names.",
    example: {
      request: "POST /api/accounts",
      headers: ["content-type: application/json"],
      body: '{"email": "ada@example.com"}',
      detail: "`password` is missing.",
      extras: { errors: [{ pointer: "/password", message: "is missing" }] },
    },
  },
  "Body Parameters Invalid": {
    why: "Other causes are a key that occurs twice, a number that is too large for a double, a body of more than 10,000 values or 200 levels (without a token: 100 values), and a changed value for a read-only field.",
    cure: "Each entry of `errors` has a place in the body (`pointer`) and what is wrong there. The [reference](/docs) lists the fields of every body.",
    example: {
      request: `PUT ${ZONE}`,
      headers: ["content-type: application/json"],
      body: '{"colour": "red"}',
      detail: "`/colour`: is not known here.",
      extras: { errors: [{ pointer: "/colour", message: "is not known here" }] },
    },
  },
  "Host Invalid": {
    why: "If a proxy and the service used different hosts of one request, an attacker could deceive them. The service therefore rejects such a request (RFC 9112, section 3.2).",
    cure: "Send one `host` header with the name or address of the service, and its port. HTTP libraries do this themselves, so look for your own code or a proxy that sets the header.",
    example: { request: "GET /api/devices", detail: "The request has more than one `host`." },
  },
  "No Query String Allowed": {
    why: "A route takes only the query parameters that the reference lists for it. Otherwise a misspelt parameter would be ignored silently.",
    cure: "Remove the parameter, or correct its spelling.",
    example: { request: `DELETE ${ZONE}?force=true`, detail: "This route takes no query parameters." },
  },
  "Query Parameter Invalid": {
    cure: "Send the parameter once, with a value of the form that the [reference](/docs) gives. `refresh` is `true` or `false`; `maxAge` is a whole number of seconds from 0 to 86400.",
    example: {
      request: `GET /api/environments/${sampleId("env")}/services/LightColor.hue?refresh=yes`,
      detail: "`refresh` is true or false.",
    },
  },
  "Page Size Invalid": {
    cure: "Request 1 to 1000 objects per page. Without `pageSize`, a page has up to 1000.",
    example: { request: `${DEVICES}&pageSize=5000` },
  },
  "Continuation Token Invalid": {
    why: "The token is bound to the caller, the path and the filters. It does not expire.",
    cure: "Repeat the query that returned the token, with the token added. Only `pageSize` may be different. To start again, leave the token out.",
    example: { request: "GET /api/devices?continuationToken=abc" },
  },
  "Metadata Format Invalid": {
    why: "`meta` has at most 64 KiB and 32 levels. No key may occur twice in one object.",
    cure: "Send an object. `{}` removes all keys. A write replaces the whole object: read it first, change it, and write it back.",
    example: { request: `PUT ${ZONE}`, headers: ["content-type: application/json"], body: '{"meta": ["kitchen"]}' },
  },
  "Metadata Prefix Invalid": {
    cure: "Leave the header out to use the default `$.`, or send a prefix of this form.",
    example: { request: `GET ${ZONE}`, headers: ['x-system-metadata-prefix: "'] },
  },
  "Idempotency Key Invalid": {
    cure: "Use 1 to 255 printable characters, such as a UUID, and a new key for each operation that must happen once.",
    example: { request: "POST /api/zones", headers: ["idempotency-key: "] },
  },
  "Idempotency Key In Use": {
    cure: "Wait for the seconds in `retry-after`, then repeat the same request. It gets the answer of the first.",
    example: {
      request: "POST /api/zones",
      headers: ["idempotency-key: 4b7e0b52"],
      extras: { retryAfter: 1 },
    },
  },
  "Idempotency Key Reused": {
    why: "For 24 hours, a key belongs to one request with its caller, method, path and body.",
    cure: "Repeat the request with its original body, or use a new key for a new request.",
    example: { request: "POST /api/zones", headers: ["idempotency-key: 4b7e0b52"] },
  },
  "Endpoint Not Found": {
    cure: "Compare the path with the [reference](/docs). A `/`, `?`, `#` or `%` in an ID or alias must be percent-encoded.",
    example: { request: "GET /api/lamps" },
  },
  "API Version Not Found": {
    cure: "Use `/v0/api/…`, or leave the version out. `/api/…` is the newest stable version.",
    example: { request: "GET /v7/api/devices" },
  },
  "Method Not Allowed": {
    cure: "Use one of the methods in the header `allow` of the answer.",
    example: { request: "PATCH /api/zones" },
  },
  "Precondition Failed": {
    why: "Another caller changed the object after you read it. Your change was not made, so theirs is not lost.",
    cure: "Read the object again, apply your change to its current state, and send the new `etag` as `if-match`.",
    example: {
      request: `PUT ${ZONE}`,
      headers: ['if-match: "3"', "content-type: application/json"],
      body: '{"alias": "den"}',
    },
  },
  "Body Too Large": {
    cure: "Send less at once. `meta` holds up to 64 KiB. Store larger data elsewhere and put its address into `meta`.",
    example: { request: "POST /api/zones" },
  },
  "Rate Limit Exceeded": {
    why: "Each token has a limit. Each network address has limits for log-ins, sign-ups and requests without a valid credential. The headers `ratelimit` and `ratelimit-policy` say how much is left.",
    cure: "Wait for the seconds in `retry-after`. Spread requests over time, and read many values with one request for the environment instead of one request for each device.",
    example: { request: DEVICES, extras: { retryAfter: 1 } },
  },
  "Internal Error": {
    why: "The fault is in the service, not in your request.",
    cure: "Give the request ID (`instance`, also in `x-request-id`) to the operator of the service. After a write, read the current state before you repeat the request.",
    example: { request: DEVICES },
  },
  "Service Unavailable": {
    why: "The service is starting or stopping, or its database does not answer.",
    cure: "Repeat the request after the seconds in `retry-after`. If the request sets a property, look at `outcome` first: after `unknown`, it may have been carried out.",
    example: { request: "POST /api/zones", detail: "The database does not answer.", extras: { retryAfter: 1 } },
  },
} as const satisfies Record<string, ErrorText>;
