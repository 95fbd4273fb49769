/** Removes secrets from logged texts and fields before they leave the hub: known values, names of fields, and forms. Pure. */

const HIDDEN = "[redacted]";

/** Shorter secrets are not replaced, because they occur in too many words. */
const SHORTEST = 4;

const NAMES =
  "tokens?|passwords?|passwd|passphrase|secrets?|authorization|credentials?|cookies?|psk|pin|(?:user|device|pairing|setup|pin)[-_]?codes?|keys?";

/** The name of a field that holds a secret: `token`, `clientToken`, `network_key`. */
const SECRET_NAME = new RegExp(`(?:${NAMES})$`, "i");

/** The forms of secrets, each with its replacement. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, HIDDEN],
  [/\bplt_[a-z]{3}_[0-9A-Za-z]+/g, HIDDEN],
  [/\bwhsec_[\w-]+/g, HIDDEN],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, HIDDEN],
  [/\b(Bearer|Basic|Digest) +[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  // User and password of an address.
  [/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  // `password=…`, `"token": "…"`
  [
    new RegExp(
      `([\\w-]{0,64}(?:${NAMES})["']?\\s{0,4}[:=]\\s{0,4})(?!["']?\\[redacted])("[^"]*"|'[^']*'|[^\\s,;)}&]+)`,
      "gi",
    ),
    `$1${HIDDEN}`,
  ],
  // Pairing codes of this service, and setup codes of devices.
  [/\b[BCDFGHJKLMNPQRSTVWXZ]{4}-?[BCDFGHJKLMNPQRSTVWXZ]{4}\b/g, HIDDEN],
  [/\b\d{3}-\d{2}-\d{3}\b|\b\d{4}-\d{3}-\d{4}\b/g, HIDDEN],
  // Keys in hex, of 16 bytes or more, and in base64, of 32 or more.
  [/\b[0-9a-f]{32,}\b/gi, HIDDEN],
  [/(?<![\w+/.-])(?=[\w+/]*\d)(?=[\w+/]*[A-Z])(?=[\w+/]*[a-z])[0-9A-Za-z+/]{42,}={0,2}(?![\w-])/g, HIDDEN],
  // The same in base64url, as in addresses; a part of a path is not a key.
  [/(?<![\w+/.-])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{42,}={0,2}(?![\w/])/g, HIDDEN],
];

/**
 * Removes secrets from log lines before they leave the hub: known secrets by value, the rest by name or by form. It hides too much rather
 * than too little.
 */
export interface Redact {
  /** A text without its secrets. */
  text(text: string): string;
  /** The value of a field as text or JSON: hidden as a whole when its name marks it as secret. */
  field(name: string, value: unknown): string;
}

/** @param known secret values, of any form */
export function redactor(known: Iterable<string>): Redact {
  // The longest first, because a secret can be part of another.
  const secrets = [...new Set(known)].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
  const text = (given: string): string => {
    let left = given;
    for (const secret of secrets) left = left.replaceAll(secret, HIDDEN);
    for (const [form, instead] of FORMS) left = left.replaceAll(form, instead);
    return left;
  };
  const field = (name: string, value: unknown): string => {
    if (isHidden(name, value)) return HIDDEN;
    if (typeof value === "string") return text(value);
    const json = JSON.stringify(value, (key, inner: unknown) => {
      if (isHidden(key, inner)) return HIDDEN;
      return typeof inner === "string" ? text(inner) : inner;
    });
    return text(json ?? "undefined");
  };
  return { text, field };
}

/** Whether a field is hidden: a count or a boolean reveals nothing. */
function isHidden(name: string, value: unknown): boolean {
  return SECRET_NAME.test(name) && value !== null && !["boolean", "undefined"].includes(typeof value);
}
