/** Signs a delivery: Standard Webhooks 1.0, with every secret that is still valid, the newest first. */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { NamedError, type Random } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { bodyInvalid } from "@porchlight/shared/rest";

const PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Maximum bytes of a key. */
const MOST_BYTES = 512;
/** Bytes of a generated secret. */
const MADE_BYTES = 32;
/** How long a replaced secret still signs, ms. */
const OLD_SECRET_LIFE = SERVICE_TIMES.formerSecret;
/** Maximum concurrent secrets: of frequent changes, the newest count. */
const MOST_SECRETS = 5;

export interface Secret {
  readonly secret: string;
  /** When it stops signing, wall clock, ms; undefined for the newest, which does not stop. */
  readonly until?: number;
}

export function makeSecret(random: Random): string {
  return PREFIX + Buffer.from(random.bytes(MADE_BYTES)).toString("base64");
}

/** @throws "Body Parameters Invalid" when it cannot be used for signing */
export function checkSecret(secret: string): string {
  if (keyOf(secret) === undefined)
    throw bodyInvalid([
      { pointer: "/secret", message: `is \`${PREFIX}\` and base64, or any other text, of 1 to ${MOST_BYTES} bytes` },
    ]);
  return secret;
}

/** The secrets after adding this one. The previous secret signs for another day. */
export function replaceSecret(secrets: readonly Secret[], secret: string, now: number): readonly Secret[] {
  const [newest, ...older] = secrets;
  if (newest?.secret === secret) return secrets;
  const former = newest ? [{ secret: newest.secret, until: now + OLD_SECRET_LIFE }] : [];
  const good = [...former, ...older].filter((old) => (old.until ?? 0) > now && old.secret !== secret);
  return [{ secret }, ...good.slice(0, MOST_SECRETS - 1)];
}

/** A signing key, created once: creating it takes longer than signing. */
export interface SigningKey {
  readonly key: KeyObject;
  /** Wall clock, ms. */
  readonly until?: number | undefined;
}

export function signingKeys(secrets: readonly Secret[]): readonly SigningKey[] {
  return secrets.flatMap(({ secret, until }) => {
    const bytes = keyOf(secret);
    return bytes ? [{ key: createSecretKey(bytes), until }] : [];
  });
}

/**
 * The header `webhook-signature`.
 * @param timestamp seconds since 1970, the value of `webhook-timestamp`
 * @param now wall clock, ms
 */
export function signatureOf(
  keys: readonly SigningKey[],
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  now: number,
): string {
  return keys
    .filter(({ until }) => until === undefined || until > now)
    .map(({ key }) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)
    .join(" ");
}

/** The text of a webhook's secrets that is sealed. */
export function secretsText(secrets: readonly Secret[]): string {
  return JSON.stringify(secrets);
}

/** @param text undefined when it could not be opened @throws "Internal Error" */
export function readSecrets(text: string | undefined): readonly Secret[] {
  if (text === undefined) throw new NamedError("Internal Error", "The secret of a webhook cannot be opened.");
  // Only `secretsText` writes it.
  return JSON.parse(text) as Secret[];
}

/** The purpose that a webhook's secrets are sealed for. */
export function secretPurpose(webhookId: string): string {
  return `webhook ${webhookId}`;
}

function keyOf(secret: string): Buffer | undefined {
  const bytes = secret.startsWith(PREFIX) ? decode(secret.slice(PREFIX.length)) : Buffer.from(secret);
  return bytes && bytes.length > 0 && bytes.length <= MOST_BYTES ? bytes : undefined;
}

function decode(base64: string): Buffer | undefined {
  return BASE64.test(base64) ? Buffer.from(base64, "base64") : undefined;
}
