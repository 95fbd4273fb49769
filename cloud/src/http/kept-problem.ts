/** What the request log keeps of a problem document: a bounded text in which no secret stands, whatever the caller had sent. */

/** Characters of JSON. A document with many field errors may be longer. */
const LONGEST = 2_048;
/** Tokens, secrets of webhooks, and what stands before the `@` of an address with a password. */
const SECRETS = [/plt_[a-z]+_[0-9A-Za-z]+/g, /whsec_[A-Za-z0-9+/=]+/g, /(?<=:\/\/)[^\s/"@\\]+(?=@)/g] as const;

/** @param document as it was sent @returns JSON */
export function keptProblem(document: object): string {
  const text = redacted(JSON.stringify(document));
  if (text.length <= LONGEST) return text;
  const { errors: _, ...rest } = document as { readonly errors?: unknown };
  const short = redacted(JSON.stringify(rest));
  if (short.length <= LONGEST) return short;
  const { type, title, status, instance } = document as Readonly<Record<string, unknown>>;
  return JSON.stringify({ type, title, status, instance });
}

function redacted(text: string): string {
  return SECRETS.reduce((safe, secret) => safe.replaceAll(secret, "…"), text);
}
