/**
 * Two nodes on one PostgreSQL, as stores, and a third that holds a row: what both want waits behind it, so that a test has them at
 * the same place at the same time without guessing how long anything takes.
 */
import { IdMaker, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { Client } from "pg";
import { type FreshLocation, freshLocation } from "./fresh-store.fixture.ts";
import { Store } from "./index.ts";

export interface TwoNodes extends AsyncDisposable {
  readonly location: string;
  readonly clock: VirtualClock;
  readonly one: Store;
  readonly other: Store;
}

/** Both with a lease, so that they are distinct. @param fresh where, when not on a database of their own */
export async function twoNodes(fresh?: FreshLocation): Promise<TwoNodes> {
  const { location, opening, ...end } = fresh ?? (await freshLocation(true));
  const clock = new VirtualClock();
  const [one, other] = [await node(opening, clock, 1), await node(opening, clock, 2)];
  return {
    location,
    clock,
    one,
    other,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([one[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]);
      await end[Symbol.asyncDispose]();
    },
  };
}

async function node(opening: FreshLocation["opening"], clock: VirtualClock, seed: number): Promise<Store> {
  const store = await Store.open({ ...opening, clock, ids: new IdMaker(clock, seededRandom(seed)) });
  const row = { id: `node_${seed}`, lease: 1, lease_until: clock.now(), started_at: clock.now() };
  await store.writeService((tx) => tx.change(tx.build.insertInto("nodes").values(row)));
  store.fenceBy({ nodeId: row.id, lease: row.lease });
  return store;
}

/** A transaction that stays open. */
export class Holding implements AsyncDisposable {
  readonly #client: Client;
  #ended = false;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** @param statement what takes the locks */
  static async of(location: string, statement: string): Promise<Holding> {
    const client = new Client(location);
    await client.connect();
    await client.query("begin");
    await client.query(statement);
    return new Holding(client);
  }

  /** Settles when so many transactions wait for a lock in this database. */
  async waited(count: number): Promise<void> {
    const asked =
      "select pg_stat_clear_snapshot(), count(*)::int as waiting from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()";
    for (;;) {
      const { rows } = await this.#client.query(asked);
      if (rows[0]?.waiting >= count) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Does more in the same transaction. */
  async also(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.#client.query(statement);
  }

  /** Lets them go on. */
  async release(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#client.query("commit");
    await this.#client.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}
