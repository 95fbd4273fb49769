/** CORS: any page may call `/api`, without that page's cookies (A1.0.8). */

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

/** CORS headers of an answer. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED,
};

/** Headers of the answer to a preflight. @param asked `access-control-request-headers` */
export function preflightHeaders(methods: readonly string[], asked: string | undefined): Record<string, string> {
  return {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": methods.join(", ") || "GET, HEAD, POST, PUT, DELETE",
    // Echo the names: `*` would not cover `authorization`.
    ...(asked !== undefined && { "access-control-allow-headers": asked }),
    "access-control-max-age": "86400",
    vary: "access-control-request-headers",
  };
}
