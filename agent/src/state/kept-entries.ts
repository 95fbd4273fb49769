/**
 * The entries of one driver, encrypted: the database without the hub's key reveals nothing of them. A value encrypted with
 * another hub's key, or moved to another name, counts as absent.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Log, Random } from "@porchlight/shared/kernel";
import type { DriverEntries } from "./rows/driver-entries.ts";

export interface KeptEntriesDeps {
  readonly entries: DriverEntries;
  /** AES-256. */
  readonly key: Uint8Array;
  readonly random: Random;
  readonly log: Log;
  /** Runs a job in a transaction, and resolves after its commit. */
  readonly run: <T>(job: () => T) => Promise<T>;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LONGEST_KEY = 256;
/** Maximum characters of keys and stored values together; a stored value is base64 of nonce, tag and value. */
const MOST_CHARACTERS = Math.ceil(((1024 * 1024 + 64 * 1024) * 4) / 3);

export class KeptEntries {
  readonly #deps: KeptEntriesDeps;
  readonly #driver: string;

  /** @param driver the owner of the entries */
  constructor(deps: KeptEntriesDeps, driver: string) {
    this.#deps = deps;
    this.#driver = driver;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const kept = this.#deps.entries.get(this.#driver, key);
    return kept === undefined ? undefined : this.#decrypt(key, kept);
  }

  /** The entries whose key begins with `prefix`, by key. */
  async all(prefix: string): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    for (const { key, value } of this.#deps.entries.all(this.#driver, prefix)) {
      const plain = this.#decrypt(key, value);
      if (plain) found.set(key, plain);
    }
    return found;
  }

  /**
   * Resolves once it is on disk; `full`: nothing has changed, because it would exceed the limit of a driver.
   * @param value undefined deletes the entry
   */
  set(key: string, value: Uint8Array | undefined): Promise<"kept" | "full"> {
    const { entries, run } = this.#deps;
    return run(() => {
      if (value === undefined) {
        entries.delete(this.#driver, key);
        return "kept";
      }
      const text = this.#encrypt(key, value);
      const size = entries.sizeBeside(this.#driver, key) + key.length + text.length;
      if (key.length > LONGEST_KEY || size > MOST_CHARACTERS) return "full";
      entries.put(this.#driver, key, text);
      return "kept";
    });
  }

  #encrypt(name: string, value: Uint8Array): string {
    const { key, random } = this.#deps;
    const nonce = random.bytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(this.#about(name));
    const body = [cipher.update(value), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...body]).toString("base64");
  }

  #decrypt(name: string, kept: string): Uint8Array | undefined {
    const bytes = Buffer.from(kept, "base64");
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
    try {
      const decipher = createDecipheriv(CIPHER, this.#deps.key, nonce).setAAD(this.#about(name)).setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    } catch {
      this.#deps.log.error(
        { driver: this.#driver },
        "the stored data of a driver cannot be decrypted: the hub has a different key",
      );
      return undefined;
    }
  }

  /** Additional data of the cipher: a value decrypts under its own name only. */
  #about(name: string): Buffer {
    return Buffer.from(`${this.#driver}\0${name}`);
  }
}
