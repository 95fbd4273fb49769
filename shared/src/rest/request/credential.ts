/** The one credential of a request, before anybody asks whose it is (A1.3). */
import { NamedError } from "../../kernel/index.ts";

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
