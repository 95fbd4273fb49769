/** A store for a loop that meets a poison record, with rows as short as they can be. */
import { IdMaker, type Log, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { Insertable } from "kysely";
import { type FreshLocation, freshLocation } from "./store/fresh-store.fixture.ts";
import { type Loop, Store } from "./store/index.ts";
import { rowsOfEveryTable } from "./store/rows-of-every-table.fixture.ts";
import type { Tables } from "./store/tables/tables.ts";

/** How many records each loop has set aside. */
export type Counts = ReadonlyMap<Loop, number>;

/** Puts a poison record among others, lets the loop work, and expects that the others are done. */
export type PoisonCase = () => Promise<Counts>;

const OWNER = { account: "acc_1", eco: "eco_1", env: "env_1" };

export class PoisonStore implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly random = seededRandom(1);
  readonly log: Log = silentLog;
  readonly store: Store;
  readonly #fresh: FreshLocation;

  private constructor(fresh: FreshLocation, store: Store, clock: VirtualClock) {
    this.clock = clock;
    this.#fresh = fresh;
    this.store = store;
  }

  static async open(): Promise<PoisonStore> {
    const fresh = await freshLocation();
    const clock = new VirtualClock();
    const store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(1)) });
    return new PoisonStore(fresh, store, clock);
  }

  get counts(): Counts {
    return this.store.setAside.counts;
  }

  /** A row like those of other tests, but for what is given. */
  async insert<T extends keyof Tables>(table: T, ...given: readonly Partial<Insertable<Tables[T]>>[]): Promise<void> {
    const known: unknown = rowsOfEveryTable(OWNER)[table];
    const [like] = Array.isArray(known) ? known : [known];
    for (const row of given) {
      const values = typeof like === "string" ? row : { ...like, ...row };
      // A table of which only its name is known: what is missing, the database refuses.
      await this.store.writeService((tx) => tx.change(tx.build.insertInto(table).values(values as never)));
    }
  }

  /** A column of all rows of a table. */
  async column<T extends keyof Tables>(table: T, column: keyof Tables[T] & string): Promise<unknown[]> {
    const { service } = this.store;
    const rows: readonly object[] = await service.query(service.build.selectFrom(table).selectAll() as never);
    return rows.map((row) => Reflect.get(row, column) as unknown).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await this.#fresh[Symbol.asyncDispose]();
  }
}
