/** Which host a request is for: exactly one, in a form that a host has (RFC 9112, section 3.2). Two parties that each believe another are fooled. */
import { NamedError } from "../../kernel/index.ts";

/** What of a request tells its host. */
export interface HostAsked {
  readonly headers: { readonly host?: string | undefined };
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly httpVersion: string;
}

/** A name, an IPv4 address, or an IPv6 address in brackets; with or without a port. */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** What is wrong with it, as "Host Invalid"; undefined when nothing is. HTTP/1.0 may leave it out. */
export function hostProblem({ headers: { host }, rawHeaders, httpVersion }: HostAsked): NamedError | undefined {
  if (host === undefined)
    return httpVersion === "1.0" ? undefined : refusal("The request does not say in `host` whom it is for.");
  if (timesGiven(rawHeaders, "host") > 1) return refusal("The request has more than one `host`.");
  return HOST.test(host) ? undefined : refusal("The `host` of the request is none.");
}

function refusal(detail: string): NamedError {
  return new NamedError("Host Invalid", detail);
}

/** The one credential of a request, before anybody asks whose it is (A1.3). */
const BEARER = /^bearer +/i;

/**
 * The token of a request, with `Bearer` or bare.
 * @param header `authorization`
 * @throws "Token Missing"
 */
export function readCredential(header: string | undefined): string {
  const token = header === undefined ? "" : credentialIn(header);
  if (token === "" || /^bearer$/i.test(token)) throw new NamedError("Token Missing");
  return token;
}

/** What stands in `authorization`, without `Bearer`; it may be nothing. */
export function credentialIn(header: string): string {
  return header.replace(BEARER, "").trim();
}

/** Node keeps the first of several and drops the rest in silence; the contract does not. @param rawHeaders names and values in turn @throws "Token Invalid" */
export function requireOneCredential(rawHeaders: readonly string[]): void {
  if (timesGiven(rawHeaders, "authorization") > 1)
    throw new NamedError("Token Invalid", "The request has more than one credential.");
}

/** How often a header stands in a request. @param rawHeaders names and values in turn @param header in lower case */
export function timesGiven(rawHeaders: readonly string[], header: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count;
}

const KEY = /^[\x20-\x7e]{1,255}$/;

/** The header `idempotency-key`. @param times how often it stands in the request @throws "Idempotency Key Invalid" */
export function readIdempotencyKey(key: string, times: number): string {
  if (times > 1) throw new NamedError("Idempotency Key Invalid", "The request has more than one `idempotency-key`.");
  if (!KEY.test(key)) throw new NamedError("Idempotency Key Invalid");
  return key;
}
