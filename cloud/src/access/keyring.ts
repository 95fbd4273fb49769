/** Seals texts that must be readable again, such as server tokens and continuation tokens: AES-256-GCM under keys outside the database. */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Random } from "@porchlight/shared/kernel";

export interface SealingKey {
  /** Stored in front of every text that the key has sealed. */
  readonly id: string;
  /** The key itself, 32 bytes. */
  readonly key: Uint8Array;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** Returns the keys in the file at this moment; none when it is unreadable. */
export type KeySource = () => readonly SealingKey[];

export class Keyring {
  #first: SealingKey;
  #keys: ReadonlyMap<string, SealingKey>;
  readonly #random: Random;
  readonly #source: KeySource;

  /**
   * @param keys the first seals, all open
   * @param source read again when a text is sealed with an unknown key: another node has loaded the new key first
   */
  constructor(keys: readonly [SealingKey, ...SealingKey[]], random: Random, source: KeySource = () => []) {
    this.#first = keys[0];
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    this.#random = random;
    this.#source = source;
  }

  /** ID of the sealing key. */
  get sealingId(): string {
    return this.#first.id;
  }

  /** Number of keys, all of which open. */
  get size(): number {
    return this.#keys.size;
  }

  /** Replaces the keys. The sealing key stays, unless it is no longer among them: then the first key seals. */
  adopt(keys: readonly [SealingKey, ...SealingKey[]]): void {
    this.#keys = new Map(keys.map((key) => [key.id, key]));
    this.#first = this.#keys.get(this.#first.id) ?? keys[0];
  }

  /** Makes that key the sealing key; changes nothing when it is unknown. */
  sealWith(id: string): void {
    this.#first = this.#keys.get(id) ?? this.#first;
  }

  /** ID and fingerprint of each key, both safe to show. */
  get fingerprints(): ReadonlyMap<string, string> {
    return fingerprintsOf([...this.#keys.values()]);
  }

  /**
   * Returns `KEY-ID.` and base64url of nonce, ciphertext and tag.
   * @param purpose bound to the text: it opens under the same purpose only
   */
  seal(purpose: string, text: string): string {
    const nonce = this.#random.bytes(NONCE_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#first.key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${this.#first.id}.${sealed.toString("base64url")}`;
  }

  /** The text, or undefined when it was not sealed for this purpose by one of the keys, or has been changed. */
  open(purpose: string, sealed: string): string | undefined {
    const dot = sealed.indexOf(".");
    const key = this.#keyOf(sealed);
    const bytes = Buffer.from(sealed.slice(dot + 1), "base64url");
    if (!key || bytes.length < NONCE_LENGTH + TAG_LENGTH) return undefined;
    // Base64 has several spellings of some bytes: only the one that seal() writes is accepted.
    if (bytes.toString("base64url") !== sealed.slice(dot + 1)) return undefined;
    const decipher = createDecipheriv(ALGORITHM, key.key, bytes.subarray(0, NONCE_LENGTH))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-TAG_LENGTH));
    try {
      return decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return undefined;
    }
  }

  /** A key found this way opens its texts, and no more: the key keeper decides which key seals and which is removed. */
  #keyOf(sealed: string): SealingKey | undefined {
    const id = keyIdOf(sealed);
    if (id === undefined) return undefined;
    return this.#keys.get(id) ?? this.#source().find((key) => key.id === id);
  }
}

/** ID of the key that has sealed a text; undefined when it was not sealed. */
export function keyIdOf(sealed: string): string | undefined {
  return /^([0-9a-f]{8})\./.exec(sealed)?.[1];
}

/** ID and fingerprint of each key. */
export function fingerprintsOf(keys: readonly SealingKey[]): ReadonlyMap<string, string> {
  return new Map(keys.map(({ id, key }) => [id, fingerprint(key)]));
}

function fingerprint(key: Uint8Array): string {
  return createHash("sha256").update("porchlight sealing key").update(key).digest("hex").slice(0, 16);
}
