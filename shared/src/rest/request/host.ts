/**
 * Checks the host of a request: exactly one, in valid form (RFC 9112, section 3.2). If two servers on the way each used another one, a
 * caller could deceive both.
 */
import { NamedError } from "../../kernel/index.ts";

/** The parts of a request that state its host. */
export interface HostAsked {
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
