/**
 * The only way to write. Jobs of one ecosystem run one after another, many in one transaction; callers are answered
 * after the commit.
 *
 * Invariants:
 * - Jobs run in the order in which they came, but that what hubs report waits behind the rest, in a separate order.
 * - A group first proves that this node's lease still stands, then takes the counter row of each ecosystem that it
 *   touches: it is alone there, so a job may check aliases, unique keys and previous values by reading.
 * - A job does nothing but SQL through its `Transaction`, and may be run twice when a group has to be split.
 * - Jobs of one kind that come one after another are done together (see {@link JobKind}); on PostgreSQL, where each ecosystem has a writer of
 *   its own, so are jobs of several ecosystems, but for requests (see {@link JointCommits}).
 * - A job that fails takes no event number with it, and the others stand: the group is then run once more, each job
 *   behind its own savepoint.
 * - Events get consecutive numbers in the order of the jobs, in the transaction of their cause.
 * - `afterCommit` runs after the commit and before any caller of the group is answered: caches are told there.
 */
import { type Clock, NamedError, nextTurn } from "@porchlight/shared/kernel";
import { isContention } from "../postgres/contention.ts";
import { isSilence, StoreAway, storeRefusal } from "../sql/refusal.ts";
import type { JobKind, Waiting } from "./job-kind.ts";
import { JointCommits } from "./joint-commits.ts";
import { jointWork } from "./joint-work.ts";
import type { Job } from "./remembered.ts";
import { type Committed, type GroupDeps, Groups, SERVICE } from "./write-group.ts";
import { WriteQueue } from "./write-queue.ts";

/** Attempts at a job that the database undoes for the sake of another node's. */
const MOST_TRIES = 5;

export interface WriteCoordinatorOptions extends GroupDeps {
  readonly clock: Pick<Clock, "monotonic" | "timer">;
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
  readonly #joint: JointCommits;
  #halted = false;
  #groupCount = 0;
  #jobCount = 0;

  constructor(options: WriteCoordinatorOptions) {
    this.#options = options;
    this.#groups = new Groups(options);
    const work = jointWork({
      groups: this.#groups,
      isHalted: () => this.#halted,
      done: (committed, jobs) => this.#done(committed, jobs),
      refuse: (error, jobs, behind) => this.#refuse(error, jobs, behind),
      alone: (jobs, queue) => this.#commitGroup(jobs, queue),
    });
    this.#joint = new JointCommits(options.clock, work);
  }

  /**
   * Runs `job` in the next transaction of its ecosystem, `SERVICE` when it belongs to none; settles after the commit.
   * @param records of a job that stores what a hub reports: how many; it waits behind all others (see {@link WriteQueue})
   * @throws what the job throws, or "Service Unavailable" when the database does not take the group
   */
  write<T>(ecosystemId: string, job: Job<T>, records?: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run: Waiting["run"] = async (_sql, [{ tx }]) => {
        const value = await job(tx);
        return [{ isDone: true, answer: () => resolve(value) }];
      };
      this.#push({ eco: ecosystemId, kind: undefined, run, reject }, records);
    });
  }

  /** As {@link write}, for a job that is done together with others of its kind. @param input what it is told */
  writeOf<I, O>(kind: JobKind<I, O>, ecosystemId: string, input: I, records?: number): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.#push(kind.waiting(ecosystemId, { input, resolve }, reject), records);
    });
  }

  #push(waiting: Waiting, records: number | undefined): void {
    if (this.#halted) {
      stopped([waiting]);
      return;
    }
    // SQLite has one writer: all ecosystems share its queue, and so its commits.
    const key = this.#options.database.dialect === "sqlite" ? SERVICE : waiting.eco;
    const queue = this.#queues.get(key) ?? new WriteQueue();
    this.#queues.set(key, queue);
    if (records !== undefined) queue.pushReport(waiting, records);
    else queue.push(waiting);
    if (records === undefined && waiting.kind === undefined) this.#joint.leave(key);
    if (!this.#running.has(key)) this.#running.set(key, this.#runQueue(key));
  }

  /** From now on nothing is written, as after the death of the process; what is being committed may still be. */
  halt(): void {
    this.#halted = true;
    for (const queue of this.#queues.values()) stopped(queue.drain());
  }

  /** How many jobs wait, and what was committed since the start. */
  get work(): {
    readonly waiting: number;
    readonly groups: number;
    readonly jobs: number;
    /** Ecosystems that share no transaction now. */
    readonly apart: number;
  } {
    let waiting = 0;
    for (const key of this.#queues.values()) waiting += key.length;
    return { waiting, groups: this.#groupCount, jobs: this.#jobCount, apart: this.#joint.apart };
  }

  /** Settles when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #runQueue(key: string): Promise<void> {
    for (;;) {
      // Whatever else this turn of the loop brings joins the group.
      await nextTurn();
      const queue = this.#queues.get(key);
      if (!queue || queue.length === 0) break;
      if (this.#options.database.dialect === "sqlite" || queue.hasRequests || this.#joint.isApart(key))
        await this.#commitGroup(queue.next(), queue);
      else await this.#joint.turn(key, queue);
    }
    this.#queues.delete(key);
    this.#running.delete(key);
  }

  async #commitGroup(group: readonly Waiting[], behind: WriteQueue, tries = 1): Promise<void> {
    if (this.#halted) return stopped(group);
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
      this.#refuse(error, group, [behind]);
      return;
    }
    if (committed) this.#done(committed, group.length);
  }

  /** @param behind where others wait for the same */
  #refuse(error: unknown, jobs: readonly Waiting[], behind: readonly WriteQueue[]): void {
    const refusal = storeRefusal(error);
    this.#options.onRefused(refusal, new Set(jobs.map(({ eco }) => eco)));
    for (const waiting of jobs) waiting.reject(refusal);
    if (!isSilence(refusal)) return;
    // Whoever came meanwhile has waited as long for a database that says nothing, and would once more.
    for (const queue of behind) for (const waiting of queue.drain()) waiting.reject(new StoreAway(refusal.cause));
  }

  #done(committed: Committed, jobs: number): void {
    this.#groupCount += 1;
    this.#jobCount += jobs;
    for (const effect of committed.effects) effect();
    const { versions, newest: sequences, grown } = committed;
    this.#options.onCommit({ versions, sequences, grown });
    for (const answer of committed.answers) answer();
  }
}

function stopped(jobs: readonly Waiting[]): void {
  const refusal = new NamedError("Service Unavailable", "This process is stopping and no longer writes.");
  for (const waiting of jobs) waiting.reject(refusal);
}
