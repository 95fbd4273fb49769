/**
 * The only way to write. Jobs of one ecosystem run one after another, many in one transaction; callers are answered
 * after the commit.
 *
 * Invariants:
 * - Jobs run in the order in which they came, but that what hubs report waits behind the rest, in a separate order.
 * - A group first proves that this node's lease still stands, then takes the counter row of each ecosystem that it
 *   touches: it is alone there, so a job may check aliases, unique keys and previous values by reading.
 * - A job does nothing but SQL through its `Transaction`, and may be run twice when a group has to be split.
 * - A job that fails takes no event number with it, and the others stand: the group is then run once more, each job
 *   behind its own savepoint.
 * - Events get consecutive numbers in the order of the jobs, in the transaction of their cause.
 * - `afterCommit` runs after the commit and before any caller of the group is answered: caches are told there.
 */
import { NamedError } from "@porchlight/shared/kernel";
import { isContention } from "../postgres/contention.ts";
import { isSilence, StoreAway, storeRefusal } from "../sql/refusal.ts";
import type { Job, Transaction } from "./transaction.ts";
import { type Committed, type GroupDeps, Groups, SERVICE, type Waiting } from "./write-group.ts";
import { WriteQueue } from "./write-queue.ts";

/** Attempts at a job that the database undoes for the sake of another node's. */
const MOST_TRIES = 5;

export interface WriteCoordinatorOptions extends GroupDeps {
  /** Told after each commit, when its effects have run. */
  readonly onCommit: (commit: Commit) => void;
  /** Told why a transaction could not be made, and whose it was, before its callers are. */
  readonly onRefused: (error: NamedError, ecosystemIds: ReadonlySet<string>) => void;
}

/** What a transaction has changed. */
export interface Commit {
  /** The version that each ecosystem now has of which something may have changed. */
  readonly versions: ReadonlyMap<string, number>;
  /** Sequence of the newest event of each ecosystem that has new ones. */
  readonly sequences: ReadonlyMap<string, number>;
  /** Ecosystems whose event log has grown past another 16 MiB. */
  readonly grown: ReadonlySet<string>;
}

export class WriteCoordinator {
  readonly #options: WriteCoordinatorOptions;
  readonly #groups: Groups;
  readonly #queues = new Map<string, WriteQueue>();
  readonly #running = new Map<string, Promise<void>>();
  #halted = false;
  #groupCount = 0;
  #jobCount = 0;

  constructor(options: WriteCoordinatorOptions) {
    this.#options = options;
    this.#groups = new Groups(options);
  }

  /**
   * Runs `job` in the next transaction of its ecosystem, `SERVICE` when it belongs to none; settles after the commit.
   * @param records of a job that stores what a hub reports: how many; it waits behind all others (see {@link WriteQueue})
   * @throws what the job throws, or "Service Unavailable" when the database does not take the group
   */
  write<T>(ecosystemId: string, job: Job<T>, records?: number): Promise<T> {
    if (this.#halted)
      return Promise.reject(new NamedError("Service Unavailable", "This process is stopping and no longer writes."));
    return new Promise<T>((resolve, reject) => {
      const run = async (tx: Transaction) => {
        const value = await job(tx);
        return () => resolve(value);
      };
      // SQLite has one writer: all ecosystems share its queue, and so its commits.
      const key = this.#options.database.dialect === "sqlite" ? SERVICE : ecosystemId;
      const queue = this.#queues.get(key) ?? new WriteQueue();
      this.#queues.set(key, queue);
      if (records === undefined) queue.push({ eco: ecosystemId, run, reject });
      else queue.pushReport({ eco: ecosystemId, run, reject }, records);
      if (!this.#running.has(key)) this.#running.set(key, this.#runQueue(key));
    });
  }

  /** From now on nothing is written, as after the death of the process; what is being committed may still be. */
  halt(): void {
    this.#halted = true;
    const refusal = new NamedError("Service Unavailable", "This process is stopping and no longer writes.");
    for (const queue of this.#queues.values()) for (const waiting of queue.drain()) waiting.reject(refusal);
  }

  /** How many jobs wait, and what was committed since the start. */
  get work(): { readonly waiting: number; readonly groups: number; readonly jobs: number } {
    let waiting = 0;
    for (const key of this.#queues.values()) waiting += key.length;
    return { waiting, groups: this.#groupCount, jobs: this.#jobCount };
  }

  /** Settles when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #runQueue(key: string): Promise<void> {
    for (;;) {
      // Whatever else this turn of the loop brings joins the group.
      await new Promise((resolve) => setImmediate(resolve));
      const queue = this.#queues.get(key);
      const group = queue?.next() ?? [];
      if (!queue || group.length === 0) break;
      await this.#commitGroup(group, queue);
    }
    this.#queues.delete(key);
    this.#running.delete(key);
  }

  async #commitGroup(group: readonly Waiting[], behind: WriteQueue, tries = 1): Promise<void> {
    let committed: Committed | undefined;
    try {
      // Savepoints cost two statements a job: they are taken only when one of the group has failed.
      committed = (await this.#groups.attempt(group, false)) ?? (await this.#groups.attempt(group, true));
    } catch (error) {
      if (isContention(error) && tries < MOST_TRIES) {
        // Nothing has been done. By itself a job holds nothing while it waits but what is its own, and the order stays.
        for (const waiting of group) await this.#commitGroup([waiting], behind, tries + 1);
        return;
      }
      const refusal = storeRefusal(error);
      this.#options.onRefused(refusal, new Set(group.map(({ eco }) => eco)));
      for (const waiting of group) waiting.reject(refusal);
      if (!isSilence(refusal)) return;
      // Whoever came meanwhile has waited as long for a database that says nothing, and would once more.
      for (const waiting of behind.drain()) waiting.reject(new StoreAway(refusal.cause));
      return;
    }
    if (!committed) return;
    this.#groupCount += 1;
    this.#jobCount += group.length;
    for (const effect of committed.effects) effect();
    const { versions, newest: sequences, grown } = committed;
    this.#options.onCommit({ versions, sequences, grown });
    for (const answer of committed.answers) answer();
  }
}
