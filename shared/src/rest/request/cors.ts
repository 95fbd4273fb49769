/** `/api` may be called from any page, without that page's cookies (A1.0.8). */

const EXPOSED = [
  "etag",
  "location",
  "retry-after",
  "x-request-id",
  "x-api-version",
  "x-command-id",
  "preference-applied",
  "ratelimit",
  "ratelimit-policy",
  "idempotent-replayed",
  "server-timing",
].join(", ");

/** Headers of an answer to a page of another origin. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
};

/** Headers of the answer to a preflight. @param asked `access-control-request-headers` */
export function preflightHeaders(methods: readonly string[], asked: string | undefined): Record<string, string> {
  return {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": methods.join(", ") || "GET, HEAD, POST, PUT, DELETE",
    // `*` would leave out `authorization`.
    ...(asked !== undefined && { "access-control-allow-headers": asked }),
    "access-control-max-age": "86400",
    vary: "access-control-request-headers",
  };
}
