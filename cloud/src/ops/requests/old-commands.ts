/**
 * Deletes old commands (A4.4): those of more than 30 days, and in each ecosystem the oldest beyond a number of bytes, of which a command that
 * has not ended is kept. An ID contains the age of its command, so no index is needed. Each commit counts its bytes: a flood of writes is trimmed before
 * the hourly sweep.
 */
import { BoundedMap, type Clock, firstIdOf, type Log, Rounds } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import { type Store, statement } from "../../store/index.ts";
import { commandBytes } from "../storage/service-queries.ts";
import { firstOf } from "./service-queries.ts";

/** How long commands are kept after they were given, ms. */
export const KEEP_COMMANDS = SERVICE_TIMES.commandsKept;
/** Rows of one job, and of one look at their bytes. */
const SLICE = 500;
const MEGABYTE = 1_000_000;
/** An ecosystem is measured again whenever it has stored this part of what is kept. As much less is left, so that the whole is not passed. */
const STEP = 1 / 16;
/** The first time since the start of the process sooner, by this part of a step: what was there before is not known. */
const FIRST = 1 / 16;
/** Ecosystems of which it is known how much they have stored. */
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
/** The newest before one, and what they take. */
const newestBefore = statement<{ eco: string; before: string }>("bytes_of_newest_commands")((db, p) =>
  db
    .selectFrom("commands")
    .select(["id", commandBytes().as("bytes")])
    .where("ecosystem_id", "=", p.eco)
    .where("id", "<", p.before)
    .orderBy("id", "desc")
    .limit(SLICE),
);
/** After the ID of every command. */
const END = "cmd_~";

/** @param now wall-clock ms @param goesOn whether another job may begin @throws "Service Unavailable" */
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

/** Those before one, but not those that have neither ended nor expired. */
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
  /** Million bytes of one ecosystem. */
  readonly keepCommandsMegabytes: number;
}

/** Keeps the commands of each ecosystem to their bytes: with several nodes, each may add a step to them before it looks. */
export class CommandTrimmer implements AsyncDisposable {
  readonly #deps: CommandTrimmerDeps;
  readonly #stopListening: () => void;
  readonly #trimming = new Rounds(() => this.#round());
  /** Bytes stored since the last look. */
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
      // With the next command.
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
