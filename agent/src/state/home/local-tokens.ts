/** The tokens of the API at home: of each only what tells it apart again, never the token itself. */
import type { Statement } from "better-sqlite3";
import type { Db } from "../database/database.ts";
import { seal } from "../database/row-checksum.ts";

export interface LocalToken {
  /** `tok_…` */
  readonly id: string;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  /** What its owner calls it; "" when nothing. */
  readonly label: string;
  /** Wall-clock ms. */
  readonly createdAt: number;
}

interface Row {
  readonly id: string;
  readonly hash: string;
  readonly label: string;
  readonly created_at: number;
}

export class LocalTokens {
  readonly #select: Statement<[], Row>;
  readonly #insert: Statement<[Row & { readonly crc: number }]>;
  readonly #delete: Statement<[string]>;
  readonly #clear: Statement<[]>;
  readonly #byHash = new Map<string, LocalToken>();

  constructor(db: Db) {
    this.#select = db.prepare("SELECT id, hash, label, created_at FROM local_tokens ORDER BY id");
    this.#insert = db.prepare("INSERT INTO local_tokens VALUES (@id, @hash, @label, @created_at, @crc)");
    this.#delete = db.prepare("DELETE FROM local_tokens WHERE id = ?");
    this.#clear = db.prepare("DELETE FROM local_tokens");
  }

  /** Oldest first. */
  all(): LocalToken[] {
    return [...this.#byHash.values()];
  }

  find(hash: string): LocalToken | undefined {
    return this.#byHash.get(hash);
  }

  add(token: LocalToken): void {
    const { id, hash, label, createdAt } = token;
    this.#insert.run({ id, hash, label, created_at: createdAt, crc: seal([id, hash, label, createdAt]) });
    this.#byHash.set(hash, token);
  }

  /** Whether there was one with that ID. */
  revoke(id: string): boolean {
    const known = this.all().find((token) => token.id === id);
    if (!known) return false;
    this.#delete.run(id);
    return this.#byHash.delete(known.hash);
  }

  revokeAll(): void {
    this.#clear.run();
    this.#byHash.clear();
  }

  /** Reads everything afresh: at the start, and after a transaction that was rolled back. */
  reload(): void {
    this.#byHash.clear();
    for (const { id, hash, label, created_at } of this.#select.iterate())
      this.#byHash.set(hash, { id, hash, label, createdAt: created_at });
  }
}
