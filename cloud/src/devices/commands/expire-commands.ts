/**
 * Ends commands that can no longer be executed: those that waited for their hub until they expired, at that moment, and
 * those that have been open for a day, which the hub's journal no longer has (T6).
 */
import { type Clock, every, type Log, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { CommandRow, Store } from "../../store/index.ts";
import { settleCommand } from "./command-store.ts";
import { expire } from "./queued-commands.ts";
import { findExpiredCommands, findStaleCommands, nextExpiry } from "./service-queries.ts";

export interface ExpireDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const DAY_MS = 24 * 3_600_000;
/** Interval of the search for commands of other nodes, and of an earlier process, ms. */
const EVERY_MS = 60_000;

export class CommandExpiry implements AsyncDisposable {
  readonly #deps: ExpireDeps;
  readonly #everyMinute: Timer;
  #next: { readonly at: number; readonly timer: Timer } | undefined;
  readonly #rounds = new Rounds(() => this.#endOld());

  private constructor(deps: ExpireDeps) {
    this.#deps = deps;
    this.#everyMinute = every(deps.clock, "command expiry", EVERY_MS, () => this.#look());
  }

  static start(deps: ExpireDeps): CommandExpiry {
    const expiry = new CommandExpiry(deps);
    expiry.#look();
    return expiry;
  }

  /** Schedules the expiry of a waiting command. @param at wall-clock ms */
  waitsUntil(at: number): void {
    if (this.#rounds.ended || (this.#next && this.#next.at <= at)) return;
    this.#next?.timer.cancel();
    const timer = this.#deps.clock.timer("next command expiry", at - this.#deps.clock.now(), () => {
      this.#next = undefined;
      this.#look();
    });
    this.#next = { at, timer };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#rounds.end();
    this.#everyMinute.cancel();
    this.#next?.timer.cancel();
    await ended;
  }

  #look(): void {
    void this.#rounds.ask();
  }

  async #endOld(): Promise<void> {
    try {
      await this.#endStale();
      await this.#endExpired();
    } catch (error) {
      this.#deps.log.warn({ error }, "expired commands could not be ended; will retry");
    }
  }

  async #endStale(): Promise<void> {
    const { store, clock } = this.#deps;
    const detail = "The hub did not report the end of this command within a day.";
    const end = { state: "failed", outcome: "unknown", error: { name: "Hub Timeout", detail } } as const;
    await this.#each(await findStaleCommands(store, clock.now() - DAY_MS), (row) =>
      store.write(row.ecosystem_id, (tx) => settleCommand(tx, row, end, clock.now())),
    );
  }

  /** Ends each command; a failed one stays open and does not delay the others. */
  async #each(rows: readonly CommandRow[], end: (row: CommandRow) => Promise<unknown>): Promise<void> {
    const { store, log } = this.#deps;
    await store.setAside.each(rows, {
      ...{ loop: "command_expiry", log, about: ({ id }) => ({ command: id }) },
      work: async (some) => {
        for (const row of some) await end(row);
      },
    });
  }

  async #endExpired(): Promise<void> {
    const { store, clock } = this.#deps;
    await this.#each(await findExpiredCommands(store, clock.now()), (row) =>
      store.write(row.ecosystem_id, (tx) => expire(tx, row, clock.now())),
    );
    const next = await nextExpiry(store);
    if (next !== undefined) this.waitsUntil(next);
  }
}
