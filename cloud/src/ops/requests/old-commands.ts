/**
 * Deletes old commands (A4.4): those of more than 30 days, and in each ecosystem the oldest beyond a number of bytes,
 * except for commands that have not ended. An ID contains the age of its command, so no index is needed. Each commit
 * counts its bytes: a flood of writes is trimmed before the hourly sweep.
 */
import { BoundedMap, type Clock, firstIdOf, type Log, Rounds } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { type Store, statement } from "../../store/index.ts";
import { commandBytes } from "../service-queries.ts";
import { firstOf } from "./service-queries.ts";

/** How long commands are kept after their acceptance, ms. */
export const KEEP_COMMANDS = SERVICE_TIMES.commandsKept;
/** Rows of one job, and of one measurement. */
const SLICE = 500;
const MEGABYTE = 1_000_000;
/**
 * An ecosystem is measured again after storing this part of its limit. It is trimmed by as much below the limit, so
 * that it does not exceed it.
 */
const STEP = 1 / 16;
/** The first measurement after a start comes after this part of a step, because earlier bytes are unknown. */
const FIRST = 1 / 16;
/** Maximum ecosystems with a known number of stored bytes. */
const CAPACITY = 10_000;

const oldestAfter = statement<{ eco: string }>("oldest_command_after_ecosystem")((db, p) =>
  db.selectFrom("commands").select("ecosystem_id").where("ecosystem_id", ">", p.eco).orderBy("ecosystem_id").limit(1),
);
const endOfSlice = statement<{ eco: string; after: string; before: string; skip: number }>("end_of_old_commands")(
  (db, p) =>
    db
      .selectFrom("commands")
      .select("id")
      .where("ecosystem_id", "=", p.eco)
      .where("id", ">=", p.after)
      .where("id", "<", p.before)
      .orderBy("id")
      .limit(1)
      .offset(p.skip),
);
type Removed = { eco: string; after: string; before: string; expired: string };
const remove = statement<Removed>("sweep_commands")((db, p) =>
  db
    .deleteFrom("commands")
    .where("ecosystem_id", "=", p.eco)
    .where("id", ">=", p.after)
    .where("id", "<", p.before)
    .where((of) => of.or([of("id", "<", p.expired), of("completed_at", "is not", null)])),
);
/** The newest commands before one, and their bytes. */
const newestBefore = statement<{ eco: string; before: string }>("bytes_of_newest_commands")((db, p) =>
  db
    .selectFrom("commands")
    .select(["id", commandBytes().as("bytes")])
    .where("ecosystem_id", "=", p.eco)
    .where("id", "<", p.before)
    .orderBy("id", "desc")
    .limit(SLICE),
);
/** Sorts after every command ID. */
const END = "cmd_~";

/** @param now wall-clock ms @param goesOn whether another job may start @throws "Service Unavailable" */
export async function sweepCommands(store: Store, now: number, goesOn: () => boolean): Promise<void> {
  const before = firstIdOf("cmd", now - KEEP_COMMANDS);
  let eco = "";
  while (goesOn()) {
    const next = await firstOf(store, oldestAfter, { eco });
    if (!next) return;
    eco = next.ecosystem_id;
    await removeBefore(store, { eco, before, expired: before }, goesOn);
  }
}

/** Deletes the commands before one, except for those that have neither ended nor expired. */
async function removeBefore(
  store: Store,
  { eco, before, expired }: Omit<Removed, "after">,
  goesOn: () => boolean,
): Promise<void> {
  for (let after = "", more = true; more && goesOn(); ) {
    const end: { id: string } | undefined = await firstOf(store, endOfSlice, { eco, after, before, skip: SLICE });
    const slice = { eco, after, before: end?.id ?? before };
    await store.writeService((tx) => tx.run(remove, { ...slice, expired }));
    more = end !== undefined;
    after = slice.before;
  }
}

export interface CommandTrimmerDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Limit of one ecosystem, million bytes. */
  readonly keepCommandsMegabytes: number;
}

/** Keeps each ecosystem's commands within the limit: with several nodes, each may add one step before it measures. */
export class CommandTrimmer implements AsyncDisposable {
  readonly #deps: CommandTrimmerDeps;
  readonly #stopListening: () => void;
  readonly #trimming = new Rounds(() => this.#round());
  /** Bytes stored since the last measurement. */
  readonly #fresh = new BoundedMap<string, number>(CAPACITY);
  readonly #due = new Set<string>();

  private constructor(deps: CommandTrimmerDeps) {
    this.#deps = deps;
    this.#stopListening = deps.store.onCommandBytes((eco, bytes) => this.#count(eco, bytes));
  }

  static start(deps: CommandTrimmerDeps): CommandTrimmer {
    return new CommandTrimmer(deps);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening();
    await this.#trimming.end();
  }

  get #most(): number {
    return this.#deps.keepCommandsMegabytes * MEGABYTE;
  }

  #count(eco: string, bytes: number): void {
    const step = STEP * this.#most;
    const fresh = (this.#fresh.get(eco) ?? step * (1 - FIRST)) + bytes;
    this.#fresh.set(eco, fresh < step ? fresh : 0);
    if (fresh < step) return;
    this.#due.add(eco);
    void this.#trimming.ask();
  }

  async #round(): Promise<void> {
    const { store, log } = this.#deps;
    const due = [...this.#due];
    this.#due.clear();
    try {
      await store.setAside.each(due, {
        ...{ loop: "log_retention", log, about: (eco) => ({ ecosystem: eco }) },
        work: async (some) => {
          for (const eco of some) await this.#trim(eco);
        },
      });
    } catch (error) {
      // Retried with the next command.
      for (const eco of due) this.#fresh.set(eco, this.#most);
      log.warn({ error }, "old commands could not be deleted");
    }
  }

  async #trim(eco: string): Promise<void> {
    const { store, clock } = this.#deps;
    const goesOn = () => !this.#trimming.ended;
    const expired = firstIdOf("cmd", clock.now() - KEEP_COMMANDS);
    let left = this.#most * (1 - STEP);
    for (let before = END; goesOn(); ) {
      const slice = await store.of(eco).sql.all(newestBefore, { eco, before });
      for (const { id, bytes } of slice) {
        left -= bytes;
        if (left < 0) return removeBefore(store, { eco, before, expired }, goesOn);
        before = id;
      }
      if (slice.length < SLICE) return;
    }
  }
}
