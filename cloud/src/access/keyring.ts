/**
 * Seals texts that must be readable again, such as server tokens and continuation tokens: AES-256-GCM under keys outside the
 * database, in the file `secret.key`: one sealing key a line, `ID BASE64`, the first of which seals.
 */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Random } from "@porchlight/shared/kernel";

interface SealingKey {
  /** Stored in front of every text that the key has sealed. */
  readonly id: string;
  /** The key itself, 32 bytes. */
  readonly key: Uint8Array;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/** Returns the keys in the file at this moment; none when it is unreadable. */
type KeySource = () => readonly SealingKey[];

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

const LINE = /^([0-9a-f]{8}) ([A-Za-z0-9+/]{43}=)$/;

/** The file exists and contains something other than keys. */
export class KeyFileBroken extends Error {
  constructor(path: string, line: number) {
    super(`${path}:${line} is not a key. A line is an ID of 8 hex digits, a space, and 32 bytes in base64.`);
  }
}

/** Reads the keys; creates the file with one key when there is none. @throws KeyFileBroken */
export function openKeyring(path: string, random: Random): Keyring {
  return new Keyring(parse(path, read(path) ?? create(path, random)), random, () => keysNow(path));
}

/** Returns no keys for a missing or broken file: the key keeper reports it. */
function keysNow(path: string): readonly SealingKey[] {
  try {
    return readKeys(path);
  } catch {
    return [];
  }
}

/** The keys of an existing file, in its order. @throws KeyFileBroken, SystemError */
export function readKeys(path: string): readonly [SealingKey, ...SealingKey[]] {
  return parse(path, readFileSync(path, "utf8"));
}

/**
 * Inserts a new key before those of the file.
 * @returns its ID
 * @throws KeyFileBroken, SystemError; `EEXIST` while another change is under way
 */
export function addKey(path: string, random: Random): string {
  const line = newLine(random);
  change(path, (lines) => [line, ...lines]);
  return line.slice(0, line.indexOf(" "));
}

/** Removes a key from the file. @throws as {@link addKey} */
export function dropKey(path: string, id: string): void {
  change(path, (lines) => lines.filter((line) => !line.startsWith(`${id} `)));
}

/** Replaces the file atomically: a reader sees the old or the new file, and the owner stays. Of two changes at once the second fails. */
function change(path: string, how: (lines: readonly string[]) => readonly string[]): void {
  const { uid, gid } = statSync(path);
  const fresh = `${path}.new`;
  writeFileSync(fresh, "", { mode: 0o600, flag: "wx" });
  try {
    readKeys(path);
    const lines = how(
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    );
    writeFileSync(fresh, `${lines.join("\n")}\n`, { flush: true });
    chownSync(fresh, uid, gid);
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function newLine(random: Random): string {
  return `${Buffer.from(random.bytes(4)).toString("hex")} ${Buffer.from(random.bytes(32)).toString("base64")}`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Of several nodes that start at once on one folder, the first to link its file wins, and all read that file. */
function create(path: string, random: Random): string {
  const made = `${path}.${Buffer.from(random.bytes(4)).toString("hex")}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(made, `${newLine(random)}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(made, path);
    chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(made);
  }
  return readFileSync(path, "utf8");
}

function parse(path: string, text: string): [SealingKey, ...SealingKey[]] {
  const lines = text.split("\n").filter((line) => line !== "");
  const keys = lines.map((line, index): SealingKey => {
    const [, id, key] = LINE.exec(line) ?? [];
    if (id === undefined || key === undefined) throw new KeyFileBroken(path, index + 1);
    return { id, key: Buffer.from(key, "base64") };
  });
  const [first, ...rest] = keys;
  if (!first) throw new KeyFileBroken(path, 1);
  return [first, ...rest];
}
