/** The headers that every route reads or sets: host, credential, idempotency key, conditions, preferences, request id and CORS. */
import { NamedError } from "../../kernel/index.ts";

/** The parts of a request that state its host. */
interface HostAsked {
  readonly headers: { readonly host?: string | undefined };
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
}

/** A name, an IPv4 address, or an IPv6 address in brackets; with or without a port. */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** The problem of the host, as "Host Invalid"; undefined when it is valid. HTTP/1.0 may omit it. */
export function hostProblem({ headers: { host }, rawHeaders, httpVersion }: HostAsked): NamedError | undefined {
  if (host === undefined)
    return httpVersion === "1.0" ? undefined : refusal("The request does not say in `host` whom it is for.");
  if (timesGiven(rawHeaders, "host") > 1) return refusal("The request has more than one `host`.");
  return HOST.test(host) ? undefined : refusal("The `host` of the request is none.");
}

function refusal(detail: string): NamedError {
  return new NamedError("Host Invalid", detail);
}

const BEARER = /^bearer +/i;

/**
 * The token of a request, with `Bearer` or bare (A1.3).
 * @param header `authorization`
 * @throws "Token Missing"
 */
export function readCredential(header: string | undefined): string {
  const token = header === undefined ? "" : credentialIn(header);
  if (token === "" || /^bearer$/i.test(token)) throw new NamedError("Token Missing");
  return token;
}

/** The content of `authorization` without `Bearer`; may be empty. */
export function credentialIn(header: string): string {
  return header.replace(BEARER, "").trim();
}

/**
 * Node silently keeps the first of several headers; the contract requires exactly one. @param rawHeaders alternating names and values
 * @throws "Token Invalid"
 */
export function requireOneCredential(rawHeaders: readonly string[]): void {
  if (timesGiven(rawHeaders, "authorization") > 1)
    throw new NamedError("Token Invalid", "The request has more than one credential.");
}

/** Number of times that a request has a header. @param rawHeaders alternating names and values @param header in lower case */
export function timesGiven(rawHeaders: readonly string[], header: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count;
}

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The header `idempotency-key`. @param times number of such headers in the request @throws "Idempotency Key Invalid" */
export function readIdempotencyKey(key: string, times: number): string {
  if (times > 1) throw new NamedError("Idempotency Key Invalid", "The request has more than one `idempotency-key`.");
  if (!KEY.test(key)) throw new NamedError("Idempotency Key Invalid");
  return key;
}

/** A version as a strong entity tag. */
export function etag(version: number): string {
  return `"${version}"`;
}

/** Returns a test for the versions that `if-match` names; undefined when the request has no such header. */
export function ifMatch(header: string | undefined): ((version: number) => boolean) | undefined {
  if (header === undefined) return undefined;
  const tags = tagsOf(header);
  return (version) => tags.includes("*") || tags.includes(etag(version));
}

/** Whether a reader already has the content with this tag. @param header `if-none-match` */
export function hasAlready(header: string | undefined, tag: string | undefined): tag is string {
  if (header === undefined || tag === undefined) return false;
  const tags = tagsOf(header).map((one) => one.replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(tag);
}

function tagsOf(header: string): string[] {
  return header.split(",").map((tag) => tag.trim());
}

interface Preference {
  /** How long to wait, ms. */
  readonly waitMs: number;
  /** `preference-applied` of the answer; undefined when the request has no valid preference. */
  readonly applied: string | undefined;
}

const DEFAULT_SECONDS = 10;
const MOST_SECONDS = 60;

/** The header `Prefer` (RFC 7240), as far as the API supports it: how long a caller is willing to wait. */
export function readPrefer(header: string | undefined): Preference {
  const asked = header === undefined ? undefined : waitOf(header);
  if (asked === undefined) return { waitMs: DEFAULT_SECONDS * 1000, applied: undefined };
  const seconds = Math.min(MOST_SECONDS, Math.max(1, asked));
  return { waitMs: seconds * 1000, applied: `wait=${seconds}` };
}

/** Whether a caller prefers not to wait at all. @param header `prefer` */
export function prefersAsync(header: string | undefined): boolean {
  return header?.split(",").some((one) => one.split(";")[0]?.trim().toLowerCase() === "respond-async") ?? false;
}

/** Seconds of the first `wait` preference. Later ones must be ignored, and so must an invalid one. */
function waitOf(header: string): number | undefined {
  for (const preference of header.split(",")) {
    const [token = ""] = preference.split(";");
    const [name = "", value = ""] = token.split("=");
    if (name.trim().toLowerCase() !== "wait") continue;
    const digits = /^\s*(?:"(\d{1,9})"|(\d{1,9}))\s*$/.exec(value);
    return digits ? Number(digits[1] ?? digits[2]) : undefined;
  }
  return undefined;
}

/** The response header that states which preference was applied. */
export function preferenceApplied(applied: string | undefined): Readonly<Record<string, string>> {
  return applied === undefined ? {} : { "preference-applied": applied };
}

const CLIENTS_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's own id; undefined when it is absent or invalid. @param header `x-request-id` */
export function readRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && CLIENTS_ID.test(header) ? header : undefined;
}

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

/** CORS headers of an answer: any page may call `/api`, without that page's cookies (A1.0.8). */
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
