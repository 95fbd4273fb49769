/** Runs the sweeps: at once after a deletion, and every minute for those that a crash or a failed write has left. */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import { EMPTY_META, emptyScenes, leaveScenes } from "../access/index.ts";
import { retireSeries } from "../history/index.ts";
import { type Sql, type Store, type SweepRow, statement, type Transaction } from "../store/index.ts";
import type { SweepTrigger } from "./deletion.ts";
import { findSweeps } from "./service-queries.ts";

/** Objects swept in one transaction. */
const AT_ONCE = 200;

type Place = { eco: string; id: string };
type After = Place & { after: string };

const inEnvironment = statement<After>("unswept_in_environment")((db, p) =>
  db
    .selectFrom("objects")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("environment_id", "=", p.id)
    .where("gone_at", "is", null)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(AT_ONCE),
);
const inEcosystem = statement<After>("unswept_in_ecosystem")((db, p) =>
  db
    .selectFrom("objects")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("gone_at", "is", null)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(AT_ONCE),
);
const onHub = statement<After>("unswept_on_hub")((db, p) =>
  db
    .selectFrom("devices")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("client_id", "=", p.id)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(AT_ONCE),
);
/** The row of a device that was deleted alone stays as long as a hub may announce the device again. */
const rowsInEnvironment = statement<After>("unswept_rows_in_environment")((db, p) =>
  db
    .selectFrom("devices")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("environment_id", "=", p.id)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(AT_ONCE),
);
const rowsInEcosystem = statement<After>("unswept_rows_in_ecosystem")((db, p) =>
  db
    .selectFrom("devices")
    .select("id")
    .where("ecosystem_id", "=", p.eco)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(AT_ONCE),
);
const endSweep = statement<Place>("end_sweep")((db, p) =>
  db.deleteFrom("sweeps").where("ecosystem_id", "=", p.eco).where("id", "=", p.id),
);

const dropTunnels = statement<Place>("drop_tunnels_of_client")((db, p) =>
  db.deleteFrom("tunnels").where("ecosystem_id", "=", p.eco).where("client_id", "=", p.id),
);

/** Deletes the sink with its token. */
const dropSink = statement<{ eco: string }>("drop_sink_of_ecosystem")((db, p) =>
  db.deleteFrom("sinks").where("ecosystem_id", "=", p.eco),
);

const STEPS = {
  env: [inEnvironment, rowsInEnvironment],
  eco: [inEcosystem, rowsInEcosystem],
  cli: [onHub],
} as const;

/**
 * Deletes the rows of a deleted environment, ecosystem or hub, a few hundred at a time.
 *
 * Invariants: IDs stay as tombstones; each step determines what is left, so that a crash between two of them, or two
 * nodes at once, do no harm; swept objects already counted as deleted, so the API does not change. An object that
 * cannot be swept does not delay others, and its container is swept again.
 *
 * Sweeps one container completely. @throws "Service Unavailable"
 */
async function sweep(store: Store, log: Log, { ecosystem_id: eco, id, kind }: SweepRow): Promise<void> {
  let left = 0;
  for (const step of stepsOf(kind)) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      const place: After = { eco, id, after };
      const ids: string[] = (await store.of(eco).sql.all(step, place)).map((row) => row.id);
      left += await store.setAside.each(ids, {
        ...{ loop: "deletions", log, about: (object) => ({ ecosystem: eco, object }) },
        work: (part) =>
          store.write(eco, async (tx) => {
            // A device may have moved to another hub since it was read.
            const here = new Set((await tx.all(step, place)).map((row) => row.id));
            const still = part.filter((object) => here.has(object));
            if (still.length > 0) await sweepObjects(tx, eco, still);
          }),
      });
      after = ids.length < AT_ONCE ? undefined : ids.at(-1);
    }
  }
  if (left > 0) return;
  await store.write(eco, async (tx) => {
    if (kind === "cli") await tx.run(dropTunnels, { eco, id });
    if (kind === "eco") await tx.run(dropSink, { eco });
    await tx.run(endSweep, { eco, id });
  });
}

function stepsOf(kind: string): (typeof STEPS)[keyof typeof STEPS] {
  switch (kind) {
    case "eco":
    case "cli":
      return STEPS[kind];
    default:
      return STEPS.env;
  }
}

/** Deletes objects of any kind: an ID exists in one table only, and in the others matches nothing. */
async function sweepObjects(tx: Transaction, eco: string, ids: readonly string[]): Promise<void> {
  const { build } = tx;
  await leaveAllZones(tx, eco, ids);
  await leaveScenes(tx, eco, ids);
  await emptyScenes(tx, eco, ids);
  await tx.change(build.deleteFrom("zone_items").where("ecosystem_id", "=", eco).where("zone_id", "in", ids));
  await tx.change(build.deleteFrom("property_values").where("ecosystem_id", "=", eco).where("device_id", "in", ids));
  await retireSeries(tx, eco, ids);
  await tx.change(build.deleteFrom("devices").where("ecosystem_id", "=", eco).where("id", "in", ids));
  await tx.change(build.deleteFrom("tunnels").where("ecosystem_id", "=", eco).where("client_id", "in", ids));
  await tx.change(build.deleteFrom("clients").where("ecosystem_id", "=", eco).where("id", "in", ids));
  await tx.change(build.deleteFrom("webhooks").where("ecosystem_id", "=", eco).where("id", "in", ids));
  await tx.change(build.deleteFrom("homes").where("ecosystem_id", "=", eco).where("id", "in", ids));
  await tx.change(build.deleteFrom("users").where("ecosystem_id", "=", eco).where("id", "in", ids));
  await tx.change(
    build
      .updateTable("tokens")
      .set({ revoked_at: tx.now(), sealed: null })
      .where("subject_id", "in", ids)
      .where("revoked_at", "is", null),
  );
  await tx.change(
    build
      .updateTable("objects")
      .set({ gone_at: tx.now(), alias: null, meta: EMPTY_META })
      .where("ecosystem_id", "=", eco)
      .where("id", "in", ids)
      .where("gone_at", "is", null),
  );
}

/** Deletes zone items of swept objects. A zone's version has counted them before (see `readItems`): the shown version does not change. */
async function leaveAllZones(sql: Sql, eco: string, ids: readonly string[]): Promise<void> {
  const rows = await sql.query(
    sql.build
      .selectFrom("zone_items")
      .select((of) => ["zone_id", of.fn.countAll<number>().as("count")])
      .where("ecosystem_id", "=", eco)
      .where("item_id", "in", ids)
      .groupBy("zone_id"),
  );
  for (const { zone_id, count } of rows) {
    await sql.change(
      sql.build
        .updateTable("objects")
        .set((of) => ({ version: of("version", "+", Number(count)) }))
        .where("ecosystem_id", "=", eco)
        .where("id", "=", zone_id),
    );
  }
  await sql.change(sql.build.deleteFrom("zone_items").where("ecosystem_id", "=", eco).where("item_id", "in", ids));
}

interface SweeperDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;

export class Sweeper implements SweepTrigger, AsyncDisposable {
  readonly #deps: SweeperDeps;
  #timer: Timer | undefined;
  readonly #rounds = new Rounds(() => this.#round());

  private constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  static start(deps: SweeperDeps): Sweeper {
    const sweeper = new Sweeper(deps);
    sweeper.#timer = every(deps.clock, "sweep", EVERY_MS, () => sweeper.wake());
    sweeper.wake();
    return sweeper;
  }

  wake(): void {
    void this.#rounds.ask();
  }

  /** Resolves when no sweep is in progress. */
  async idle(): Promise<void> {
    await this.#rounds.running;
  }

  async #round(): Promise<void> {
    const { store, log } = this.#deps;
    try {
      await store.setAside.each(await findSweeps(store), {
        ...{ loop: "deletions", log, about: ({ id }) => ({ place: id }) },
        work: async (some) => {
          for (const place of some) if (!this.#rounds.ended) await sweep(store, log, place);
        },
      });
    } catch (error) {
      log.warn({ error }, "the rows of deleted objects could not be deleted; will retry");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    await this.#rounds.end();
  }
}
