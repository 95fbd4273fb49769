/**
 * Keeps the keyring of a running service in step with its file, and reseals in the background.
 *
 * Invariants: a new key opens as soon as it is read and seals a minute later, when every node that shares the file opens with
 * it; a file that is unreadable, or does not match the database, changes nothing.
 */
import { type Clock, every, type Log, nextTurn, Rounds, type Timer } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { type SealingKeyRow, type Store, statement, type Transaction } from "../store/index.ts";
import { fingerprintsOf, type Keyring, keyIdOf, readKeys } from "./keyring.ts";
import {
  knownSealingKeys,
  type Place,
  type SealedColumn,
  type SealedRow,
  sealedSlice,
  sealingKeys,
} from "./sealing-service-queries.ts";

/** Rows read at once; resealing so many takes a few milliseconds. */
const SLICE = 200;

interface SealAnewDeps {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly columns: readonly SealedColumn[];
}

interface SealedAnew {
  readonly replaced: number;
  /** Texts that none of the keys opens. */
  readonly lost: number;
}

/**
 * Reseals, under the present sealing key, the texts that other keys have sealed.
 *
 * Invariants: a text is replaced by the same text only, and only if its row is unchanged, so that a pass can stop anywhere and
 * several nodes can run one at once; before and after, the text opens under the keys of the file.
 *
 * One pass over all sealed texts.
 * @param goesOn whether another slice may begin
 * @throws "Service Unavailable"; a later pass does the rest
 */
async function sealAnew(deps: SealAnewDeps, goesOn: () => boolean): Promise<SealedAnew> {
  let [replaced, lost] = [0, 0];
  for (const column of deps.columns) {
    for await (const rows of slices(deps.store, column)) {
      if (!goesOn()) return { replaced, lost };
      const fresh = rows.flatMap((row) => freshOf(deps.keyring, column, row));
      lost += fresh.filter(({ text }) => text === undefined).length;
      replaced += await replace(deps.store, column, fresh);
    }
  }
  return { replaced, lost };
}

/** Counts the texts that each key has sealed, by its ID. @throws "Service Unavailable" */
export async function countSealed({ store, columns }: Omit<SealAnewDeps, "keyring">): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const column of columns) {
    for await (const rows of slices(store, column)) {
      for (const { sealed } of rows) {
        const id = sealed === null ? undefined : keyIdOf(sealed);
        if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
  }
  return counts;
}

async function* slices(store: Store, column: SealedColumn): AsyncGenerator<readonly SealedRow[]> {
  for (let place: Place = ["", ""]; ; ) {
    const rows = await sealedSlice(store, column, place, SLICE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    place = [last.first, last.second];
    // Lets requests run first.
    await nextTurn();
  }
}

interface Fresh {
  readonly first: string;
  readonly second: string;
  readonly sealed: string;
  /** The resealed text; undefined when no key opens it. */
  readonly text: string | undefined;
}

function freshOf(keyring: Keyring, column: SealedColumn, { first, second, sealed }: SealedRow): Fresh[] {
  const id = sealed === null ? undefined : keyIdOf(sealed);
  if (sealed === null || id === undefined || id === keyring.sealingId) return [];
  const purpose = column.purpose(first, second);
  const text = keyring.open(purpose, sealed);
  return [{ first, second, sealed, text: text === undefined ? undefined : keyring.seal(purpose, text) }];
}

/** Replaces each ecosystem's rows in that ecosystem's write queue. */
async function replace(store: Store, column: SealedColumn, fresh: readonly Fresh[]): Promise<number> {
  let replaced = 0;
  for (const [ecosystem, rows] of Map.groupBy(fresh, ({ first }) => (column.isTenants ? first : ""))) {
    const job = async (tx: Transaction) => {
      let count = 0;
      for (const { text, first, second, sealed } of rows)
        if (text !== undefined) count += await tx.run(column.replace, { first, second, sealed, fresh: text });
      return count;
    };
    replaced += column.isTenants ? await store.write(ecosystem, job) : await store.writeService(job);
  }
  return replaced;
}

/** Interval between reads of the file, ms. */
const LOOK_MS = 10_000;
/** Delay from the first read of a key until it seals, ms. */
const SEAL_AFTER_MS = 60_000;
/** Interval between passes while there are several keys, ms: a pass finds texts that a slower node has sealed meanwhile. */
const PASS_MS = 600_000;

interface KeyKeeperDeps extends SealAnewDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Path of the file of keys. */
  readonly path: string;
}

export class KeyKeeper implements AsyncDisposable {
  readonly #deps: KeyKeeperDeps;
  readonly #rounds: Rounds;
  #timer: Timer | undefined;
  /** The key that will seal, and from when, monotonic ms. */
  #next: { readonly id: string; readonly from: number } | undefined;
  /** When the last pass ended, and under which key. */
  #passed: { readonly id: string; readonly at: number } | undefined;
  #complaint: string | undefined;

  private constructor(deps: KeyKeeperDeps) {
    this.#deps = deps;
    this.#rounds = new Rounds(() => this.#round());
  }

  static start(deps: KeyKeeperDeps): KeyKeeper {
    const keeper = new KeyKeeper(deps);
    keeper.#timer = every(deps.clock, "sealing keys", LOOK_MS, () => void keeper.look());
    return keeper;
  }

  /** Reads the file now; resolves when all that follows from it is done. */
  look(): Promise<void> {
    return this.#rounds.ask();
  }

  async #round(): Promise<void> {
    try {
      await this.#follow();
      if (this.#isDue()) await this.#pass();
      this.#complaint = undefined;
    } catch (error) {
      // Logged once: repeating it every ten seconds would not help.
      const complaint = String(error);
      if (complaint !== this.#complaint)
        this.#deps.log.error({ error }, "the change of the sealing keys failed; will retry");
      this.#complaint = complaint;
    }
  }

  async #follow(): Promise<void> {
    const { path, keyring, store, clock, log } = this.#deps;
    const keys = readKeys(path);
    const [{ id }] = keys;
    const fingerprints = fingerprintsOf(keys);
    if (!isSame(fingerprints, keyring.fingerprints)) {
      await checkSealingKeys(store, { fingerprints });
      keyring.adopt(keys);
      log.info({ keys: [...fingerprints.keys()] }, "the sealing keys were reloaded");
    }
    if (id === keyring.sealingId) {
      this.#next = undefined;
      return;
    }
    if (this.#next?.id !== id) this.#next = { id, from: clock.monotonic() + SEAL_AFTER_MS };
    if (clock.monotonic() < this.#next.from) return;
    keyring.sealWith(id);
    this.#next = undefined;
    log.info({ key: id }, "new data is now sealed with another key");
  }

  #isDue(): boolean {
    const { keyring, clock } = this.#deps;
    if (keyring.size === 1 || this.#next) return false;
    return this.#passed?.id !== keyring.sealingId || clock.monotonic() >= this.#passed.at + PASS_MS;
  }

  async #pass(): Promise<void> {
    const { keyring, clock, log } = this.#deps;
    const id = keyring.sealingId;
    const { replaced, lost } = await sealAnew(this.#deps, () => !this.#rounds.ended);
    if (replaced > 0) log.info({ key: id, replaced }, "data that other keys had sealed was sealed again");
    if (lost > 0) log.warn({ lost }, "some sealed data cannot be opened with any of the keys");
    this.#passed = { id, at: clock.monotonic() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    await this.#rounds.end();
  }
}

function isSame(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean {
  return some.size === others.size && [...some].every(([id, fingerprint]) => others.get(id) === fingerprint);
}

/** The file of keys does not belong to the database: a node with other keys would lose the texts that it cannot open. */
export class KeyMismatch extends Error {
  constructor(id: string) {
    super(
      `The database has secrets that are sealed with the key ${id}, but the key file does not contain it. Start with the key file that belongs to the database (--secret-file).`,
    );
  }
}

/** Serialises nodes that record keys, until the commit: each sees the keys recorded before. No other lock uses this number. */
const takeTurns = sql`select pg_advisory_xact_lock(7460112)`;

const recordKey = statement<{ id: string; fingerprint: string }>("record_sealing_key")((db, p) =>
  db
    .insertInto("sealing_keys")
    .values({ id: p.id, fingerprint: p.fingerprint })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

const forgetKey = statement<{ id: string }>("forget_sealing_key")((db, p) =>
  db.deleteFrom("sealing_keys").where("id", "=", p.id),
);

/** Deletes the record of a key that the database no longer needs. @throws "Service Unavailable" */
export async function forgetSealingKey(store: Store, id: string): Promise<void> {
  await store.writeService((tx) => tx.run(forgetKey, { id }));
}

/**
 * Records new keys, and compares all keys with the records. Of two nodes that start at once with different keys on an empty
 * database one is refused, and it records nothing that would keep the other from starting again.
 * @throws KeyMismatch, "Service Unavailable"
 */
export async function checkSealingKeys(store: Store, keyring: Pick<Keyring, "fingerprints">): Promise<void> {
  const held = keyring.fingerprints;
  if (unknownAmong(held, await knownSealingKeys(store)).length === 0) return;
  await store.writeService(async (tx) => {
    if (store.dialect === "postgres") await tx.query({ compile: () => takeTurns.compile(tx.build) });
    for (const [id, fingerprint] of unknownAmong(held, await tx.all(sealingKeys, {})))
      await tx.run(recordKey, { id, fingerprint });
  });
}

/** The held keys that the database has no record of yet. @throws KeyMismatch when it has records of others */
function unknownAmong(held: ReadonlyMap<string, string>, known: readonly SealingKeyRow[]): [string, string][] {
  for (const { id, fingerprint } of known) if (held.get(id) !== fingerprint) throw new KeyMismatch(id);
  const recorded = new Set(known.map(({ id }) => id));
  return [...held].filter(([id]) => !recorded.has(id));
}
