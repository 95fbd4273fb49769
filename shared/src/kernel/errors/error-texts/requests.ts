/** Texts of the errors that any request can get by its form: path, query, body, metadata, retry. */
import { type ErrorText, sampleId } from "./error-text.ts";

const ZONE = `/api/zones/${sampleId("zon")}`;
const DEVICES = `GET /api/devices?environmentId=${sampleId("env")}`;

export const REQUEST_TEXTS = {
  "Body Parameters Missing": {
    why: "A wrong or missing `content-type` shows as this too, even when the JSON is valid: `detail` says which it was.",
    cure: "Send JSON with the header `content-type: application/json`, and give every field that `errors` points at.",
    example: {
      request: "POST /api/accounts",
      headers: ["content-type: application/json"],
      body: '{"email": "ada@example.com"}',
      detail: "`password` is missing.",
      extras: { errors: [{ pointer: "/password", message: "is missing" }] },
    },
  },
  "Body Parameters Invalid": {
    why: "It is also the answer to a key that stands twice, to a number larger than any double, to a body of more than 10,000 values or 200 levels (without a token: 100 values), and to a read-only field that came back changed.",
    cure: "Look at `errors`: each entry has the place in the body (`pointer`) and what is wrong there. The [reference](/docs) lists the fields of every body.",
    example: {
      request: `PUT ${ZONE}`,
      headers: ["content-type: application/json"],
      body: '{"colour": "red"}',
      detail: "`/colour`: is not known here.",
      extras: { errors: [{ pointer: "/colour", message: "is not known here" }] },
    },
  },
  "Host Invalid": {
    why: "Two parties that each believe another of two hosts can be fooled, so that such a request goes no further (RFC 9112, section 3.2).",
    cure: "Send one `host` header with the name or address of the service, and its port. An HTTP library does that by itself: look for code or a proxy that writes the header.",
    example: { request: "GET /api/devices", detail: "The request has more than one `host`." },
  },
  "No Query String Allowed": {
    why: "A route takes exactly the query parameters that the reference lists for it. A misspelt one would otherwise be ignored in silence.",
    cure: "Take the parameter out, or mend its spelling.",
    example: { request: `DELETE ${ZONE}?force=true`, detail: "This route takes no query parameters." },
  },
  "Query Parameter Invalid": {
    cure: "Give the parameter once, with a value of the form that the [reference](/docs) has for it. `refresh` is `true` or `false`; `maxAge` is whole seconds, 0 to 86400.",
    example: {
      request: `GET /api/environments/${sampleId("env")}/services/LightColor.hue?refresh=yes`,
      detail: "`refresh` is true or false.",
    },
  },
  "Page Size Invalid": {
    cure: "Ask for 1 to 1000 objects a page, or leave `pageSize` out and get up to 1000.",
    example: { request: `${DEVICES}&pageSize=5000` },
  },
  "Continuation Token Invalid": {
    why: "The token is bound to the caller, the path and the filters. It does not expire.",
    cure: "Repeat the very query that gave the token, with the token added. Only `pageSize` may differ. To start again, leave the token out.",
    example: { request: "GET /api/devices?continuationToken=abc" },
  },
  "Metadata Format Invalid": {
    why: "`meta` has at most 64 KiB and 32 levels; no key may stand twice in one object.",
    cure: "Send an object: `{}` empties it. A write replaces the whole object, so read it first, change it, and write it back.",
    example: { request: `PUT ${ZONE}`, headers: ["content-type: application/json"], body: '{"meta": ["kitchen"]}' },
  },
  "Metadata Prefix Invalid": {
    cure: "Leave the header out to use the default `$.`, or give a prefix of that form.",
    example: { request: `GET ${ZONE}`, headers: ['x-system-metadata-prefix: "'] },
  },
  "Idempotency Key Invalid": {
    cure: "Make a key of 1 to 255 printable characters, such as a UUID, one for each thing that is to happen once.",
    example: { request: "POST /api/zones", headers: ["idempotency-key: "] },
  },
  "Idempotency Key In Use": {
    cure: "Wait as `retry-after` says and repeat the very same request: it then gets the answer of the first.",
    example: {
      request: "POST /api/zones",
      headers: ["idempotency-key: 4b7e0b52"],
      extras: { retryAfter: 1 },
    },
  },
  "Idempotency Key Reused": {
    why: "A key stands for one request, by the same caller, method and path, for 24 hours.",
    cure: "Repeat the request with the body that it had, or take a new key for what is a new request.",
    example: { request: "POST /api/zones", headers: ["idempotency-key: 4b7e0b52"] },
  },
  "Endpoint Not Found": {
    cure: "Compare the path with the [reference](/docs). IDs and aliases with `/`, `?`, `#` or `%` in them have to be percent-encoded.",
    example: { request: "GET /api/lamps" },
  },
  "API Version Not Found": {
    cure: "Use `/v0/api/…`, or leave the version out: `/api/…` is the newest stable version.",
    example: { request: "GET /v7/api/devices" },
  },
  "Method Not Allowed": {
    cure: "The header `allow` of the answer lists the methods of this path.",
    example: { request: "PATCH /api/zones" },
  },
  "Precondition Failed": {
    why: "Somebody else changed the object after you read it. Your change was not made, and theirs is not lost.",
    cure: "Read the object again, apply your change to what it is now, and send the new `etag` as `if-match`.",
    example: {
      request: `PUT ${ZONE}`,
      headers: ['if-match: "3"', "content-type: application/json"],
      body: '{"alias": "den"}',
    },
  },
  "Body Too Large": {
    cure: "Send less at once. `meta` holds 64 KiB; larger things belong elsewhere, with their address in `meta`.",
    example: { request: "POST /api/zones" },
  },
  "Rate Limit Exceeded": {
    why: "Each token has a bucket, and so has each address for log-ins, sign-ups and requests without a good credential. The headers `ratelimit` and `ratelimit-policy` tell how much is left.",
    cure: "Wait as many seconds as `retry-after` says. Spread what can wait; read many values with one request for the environment rather than one for each device.",
    example: { request: DEVICES, extras: { retryAfter: 1 } },
  },
  "Internal Error": {
    why: "The fault is the service's, not yours.",
    cure: "Keep the request id (`instance`, also in `x-request-id`) and give it to the operator of the service. After a write, read what is so before you repeat it.",
    example: { request: DEVICES },
  },
  "Service Unavailable": {
    why: "The service is starting or stopping, or its store does not answer.",
    cure: "Repeat after `retry-after`. When a property was being set, look at `outcome` first: `unknown` means that it may have been carried out.",
    example: { request: "POST /api/zones", detail: "The store does not answer.", extras: { retryAfter: 1 } },
  },
} as const satisfies Record<string, ErrorText>;
