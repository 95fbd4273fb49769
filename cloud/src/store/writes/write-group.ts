/**
 * One transaction of the write coordinator: the lease is proved, the counter rows are taken, the jobs run one after another, their
 * events are numbered, and all is committed together or not at all. The coordinator decides which jobs come together.
 */
import type { IdMaker } from "@porchlight/shared/kernel";
import { NamedError } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { isContention } from "../postgres/contention.ts";
import { isOutage } from "../sql/refusal.ts";
import type { Connection, Database } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import { JobTransaction, type NewEvent, type Transaction } from "./transaction.ts";

/** The node on whose lease every write stands. */
export interface Fence {
  readonly nodeId: string;
  readonly lease: number;
}

/** Queue and ecosystem of writes that belong to no ecosystem. */
export const SERVICE = "";

const takeCounter = statement<{ eco: string }>("take_counter")((db, p) =>
  db
    .insertInto("counters")
    .values({ ecosystem_id: p.eco, sequence: 0, version: 1 })
    // Touching the row locks it until the commit.
    .onConflict((conflict) =>
      conflict.column("ecosystem_id").doUpdateSet({ version: sql<number>`coalesce(counters.version, 0) + 1` }),
    )
    .returning(["sequence", "log_bytes", sql<number>`version`.as("version")]),
);
const setCounter = statement<{ eco: string; sequence: number; bytes: number }>("set_counter")((db, p) =>
  db.updateTable("counters").set({ sequence: p.sequence, log_bytes: p.bytes }).where("ecosystem_id", "=", p.eco),
);
const checkFence = statement<{ node: string; lease: number }>("check_fence")((db, p) =>
  db.selectFrom("nodes").select("id").where("id", "=", p.node).where("lease", "=", p.lease),
);
type NewEventRow = {
  eco: string;
  sequence: number;
  id: string;
  type: string;
  env: string | null;
  data: string;
  at: number;
  offset: number;
};
const insertEvent = statement<NewEventRow>("insert_event")((db, p) =>
  db.insertInto("events").values({
    ecosystem_id: p.eco,
    sequence: p.sequence,
    id: p.id,
    type: p.type,
    environment_id: p.env,
    data: p.data,
    created_at: p.at,
    log_offset: p.offset,
  }),
);

/** A job that waits for its transaction. */
export interface Waiting {
  readonly eco: string;
  readonly run: (tx: Transaction) => Promise<() => void>;
  readonly reject: (error: unknown) => void;
}

/** Where the event log of an ecosystem ends. */
interface LogEnd {
  /** Of the newest event. */
  readonly sequence: number;
  /** Of all events so far. */
  readonly bytes: number;
}

const NO_LOG: LogEnd = { sequence: 0, bytes: 0 };
/** What an event takes besides its data, bytes: its other columns and its place in the index. */
const ROW_BYTES = 200;
/** Each time that a log has grown by so many bytes it is told. */
const STEP_BYTES = 16 * 1024 * 1024;

/** What a transaction has made so, to be told once it is committed. */
export interface Committed {
  readonly answers: (() => void)[];
  readonly effects: (() => void)[];
  /** Newest sequence of each ecosystem with new events. */
  readonly newest: Map<string, number>;
  /** Ecosystems whose log has grown past another 16 MiB. */
  readonly grown: Set<string>;
  /** The log's end of each ecosystem whose counter row the transaction holds. */
  readonly ends: Map<string, LogEnd>;
  /** And the version that each has with it. */
  readonly versions: Map<string, number>;
}

/** A job has thrown; `cause` is what. */
class JobFailed extends Error {
  constructor(cause: unknown) {
    super("a job of the group has failed", { cause });
  }
}

export interface GroupDeps {
  readonly database: Database;
  readonly ids: IdMaker;
  readonly now: () => number;
  readonly fence: () => Fence | undefined;
  /** For `test/world`: called before each job and each commit; what it throws, the database has refused. */
  readonly before?: ((what: "job" | "commit") => void) | undefined;
}

export class Groups {
  readonly #deps: GroupDeps;

  constructor(deps: GroupDeps) {
    this.#deps = deps;
  }

  /**
   * One transaction over the whole group.
   * @param apart each job behind its own savepoint; without, the first that fails ends the attempt with undefined
   */
  attempt(group: readonly Waiting[], apart: boolean): Promise<Committed | undefined> {
    return this.#deps.database.withWriter(async (connection) => {
      const committed: Committed = {
        answers: [],
        effects: [],
        newest: new Map(),
        grown: new Set(),
        ends: new Map(),
        versions: new Map(),
      };
      try {
        await connection.begin(() => [
          this.#proveLease(connection),
          ...(apart ? [] : ecosystemsOf(group).map((eco) => this.#takeCounter(connection, eco, committed))),
        ]);
        const under: Promise<unknown>[] = [];
        for (const waiting of group) {
          if (apart) await this.#runApart(connection, waiting, committed);
          else await this.#runJob(connection, waiting, committed, under);
        }
        for (const [eco, sequence] of committed.newest) {
          const { bytes } = committed.ends.get(eco) ?? NO_LOG;
          under.push(connection.run(setCounter, { eco, sequence, bytes }));
        }
        await allOf(under);
        this.#deps.before?.("commit");
        await connection.commit();
        return committed;
      } catch (error) {
        await connection.rollback().catch(() => undefined);
        if (error instanceof JobFailed) return undefined;
        throw error;
      }
    });
  }

  async #runApart(connection: Connection, waiting: Waiting, committed: Committed): Promise<void> {
    const wasHeld = committed.ends.has(waiting.eco);
    await connection.savepoint();
    try {
      await this.#runJob(connection, waiting, committed);
      await connection.releaseSavepoint();
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      await connection.rollbackToSavepoint();
      // A counter row that was locked in this job is not held any more.
      if (!wasHeld) {
        committed.ends.delete(waiting.eco);
        committed.versions.delete(waiting.eco);
      }
      committed.answers.push(() => waiting.reject(error.cause));
    }
  }

  async #takeCounter(connection: Connection, eco: string, { ends, versions }: Committed): Promise<void> {
    const [row] = await connection.all(takeCounter, { eco });
    ends.set(eco, { sequence: row?.sequence ?? 0, bytes: row?.log_bytes ?? 0 });
    versions.set(eco, row?.version ?? 0);
  }

  /**
   * @param under takes what is still under way when the job is done: its events, which the next job finds stored all the same
   * @throws JobFailed, as `under` may
   */
  async #runJob(
    connection: Connection,
    { eco, run }: Waiting,
    committed: Committed,
    under?: Promise<unknown>[],
  ): Promise<void> {
    const { ends, newest, grown } = committed;
    if (eco !== SERVICE && !ends.has(eco)) await this.#takeCounter(connection, eco, committed);
    const events: NewEvent[] = [];
    const effects: (() => void)[] = [];
    let answer: () => void;
    const before = ends.get(eco) ?? NO_LOG;
    let { sequence, bytes } = before;
    try {
      this.#deps.before?.("job");
      answer = await run(new JobTransaction(connection, eco, this.#deps, events, effects));
    } catch (error) {
      throw jobFailure(error);
    }
    const inserted = events.map((event) => {
      const data = event.text === undefined ? JSON.stringify(event.data) : event.text;
      const offset = bytes;
      bytes += Buffer.byteLength(data) + ROW_BYTES;
      return this.#insert(connection, { eco, sequence: ++sequence, data, offset }, event);
    });
    const stored = Promise.all(inserted).catch((error: unknown) => Promise.reject(jobFailure(error)));
    // It may fail before it is waited for.
    stored.catch(() => undefined);
    if (under) under.push(stored);
    else await stored;
    if (events.length > 0) {
      ends.set(eco, { sequence, bytes });
      newest.set(eco, sequence);
      if (Math.floor(bytes / STEP_BYTES) > Math.floor(before.bytes / STEP_BYTES)) grown.add(eco);
    }
    committed.effects.push(...effects);
    committed.answers.push(answer);
  }

  async #insert(
    connection: Connection,
    place: Pick<NewEventRow, "eco" | "sequence" | "data" | "offset">,
    { id, type, environmentId }: NewEvent,
  ): Promise<number> {
    const { ids, now } = this.#deps;
    const at = now();
    return connection.run(insertEvent, { ...place, id: id ?? ids.next("evt"), type, env: environmentId ?? null, at });
  }

  async #proveLease(connection: Connection): Promise<void> {
    const fence = this.#deps.fence();
    if (!fence) return;
    const rows = await connection.all(checkFence, { node: fence.nodeId, lease: fence.lease });
    if (rows.length === 0)
      throw new NamedError("Service Unavailable", "This node lost its lease and cannot write.", {
        retryAfter: 1,
      });
  }
}

/** Settles when all have. @throws what the first of them has failed with: what comes after it may have failed for that */
async function allOf(under: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(under)) if (result.status === "rejected") throw result.reason;
}

/** Ecosystems of which the group changes something. */
function ecosystemsOf(group: readonly Waiting[]): string[] {
  return [...new Set(group.map(({ eco }) => eco))].filter((eco) => eco !== SERVICE);
}

function jobFailure(error: unknown): unknown {
  return isOutage(error) || isContention(error) ? error : new JobFailed(error);
}
