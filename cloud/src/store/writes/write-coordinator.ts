/**
 * The only way to write. Jobs of one ecosystem run one after another, many in one transaction; callers are answered
 * after the commit.
 *
 * Invariants:
 * - Jobs run in the order of arrival, except that reports of hubs wait behind the rest, in an order of their own.
 * - A group first proves that this node's lease is valid, then locks the counter row of each ecosystem that it touches:
 * it is alone there, so a job may check aliases, unique keys and previous values by reading.
 * - A job does nothing but SQL through its `Transaction`, and may run twice when a group is split.
 * - Consecutive jobs of one kind are batched (see {@link JobKind}); on PostgreSQL, where each ecosystem has a writer of
 *   its own, jobs of several ecosystems share a transaction too, except for requests (see {@link JointCommits}).
 * - A failed job uses up no event number, and the others are committed: the group runs once more, each job behind its
 *   own savepoint.
 * - Events get consecutive numbers in the order of the jobs, in the transaction of their cause.
 * - `afterCommit` runs after the commit and before any caller of the group is answered: caches are updated there.
 */
import { NamedError, nextTurn } from "@porchlight/shared/kernel";
import { isContention } from "../sql/contention.ts";
import { isSilence, StoreAway, storeRefusal } from "../sql/refusal.ts";
import { ALONE, isRequest, Job, type JobKind, type Work } from "./job.ts";
import { type Committed, type GroupDeps, Groups, SERVICE } from "./write-group.ts";
import { WriteQueue } from "./write-queue.ts";

/** Maximum attempts at a job that the database aborts in favour of another node's. */
const MOST_TRIES = 5;

/** Transactions over several ecosystems, where each ecosystem has a writer of its own (PostgreSQL). */
export interface Joint {
  /** Whether the ecosystem is excluded at present. */
  isApart(eco: string): boolean;
  /** Number of excluded ecosystems. */
  readonly apart: number;
  /** Resolves when jobs of the ecosystem are done, or when {@link leave} was called before they started. */
  turn(eco: string, queue: WriteQueue): Promise<void>;
  /** Takes out the ecosystem, which has a request: requests must not wait here. */
  leave(eco: string): void;
}

/** What {@link Joint} needs of the coordinator. */
export interface JointDeps {
  readonly groups: Pick<Groups, "attempt" | "attemptFree">;
  /** Whether writing has stopped. */
  readonly isHalted: () => boolean;
  readonly done: (committed: Committed, jobs: number) => void;
  /** Answers the callers of the jobs and, when the database is silent, those of the queues behind them. */
  readonly refuse: (error: unknown, jobs: readonly Job[], behind: readonly WriteQueue[]) => void;
  readonly alone: (jobs: readonly Job[], queue: WriteQueue) => Promise<void>;
}

export interface WriteCoordinatorOptions extends GroupDeps {
  /** Undefined where all ecosystems share one writer (SQLite), and so its commits. */
  readonly joint: ((deps: JointDeps) => Joint) | undefined;
  /** Called after each commit and its effects. */
  readonly onCommit: (commit: Commit) => void;
  /** Receives the reason of a failed transaction and its ecosystems, before its callers do. */
  readonly onRefused: (error: NamedError, ecosystemIds: ReadonlySet<string>) => void;
}

/** The changes of a transaction. */
export interface Commit {
  /** The new version of each ecosystem that may have changed. */
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
  readonly #joint: Joint | undefined;
  #halted = false;
  #groupCount = 0;
  #jobCount = 0;

  constructor(options: WriteCoordinatorOptions) {
    this.#options = options;
    this.#groups = new Groups(options);
    this.#joint = options.joint?.({
      groups: this.#groups,
      isHalted: () => this.#halted,
      done: (committed, jobs) => this.#done(committed, jobs),
      refuse: (error, jobs, behind) => this.#refuse(error, jobs, behind),
      alone: (jobs, queue) => this.#commitGroup(jobs, queue),
    });
  }

  /**
   * Runs `job` in the next transaction of its ecosystem, `SERVICE` when it belongs to none; resolves after the commit.
   * @param records number of records of a job that stores a hub's reports; it waits behind all others (see
   * {@link WriteQueue})
   * @throws what the job throws, or "Service Unavailable" when the database refuses the group
   */
  write<T>(ecosystemId: string, work: Work<T>, records?: number): Promise<T> {
    return this.writeOf(ALONE as JobKind<Work<T>, T>, ecosystemId, work, records);
  }

  /** Writes as {@link write} does, for a job that is batched with others of its kind. @param input of the job */
  writeOf<I, O>(kind: JobKind<I, O>, ecosystemId: string, input: I, records?: number): Promise<O> {
    return new Promise<O>((resolve, reject) => {
      this.#push(new Job(ecosystemId, kind, input, records, { resolve, reject }));
    });
  }

  #push(job: Job): void {
    if (this.#halted) {
      stopped([job]);
      return;
    }
    const key = this.#joint ? job.eco : SERVICE;
    const queue = this.#queues.get(key) ?? new WriteQueue();
    this.#queues.set(key, queue);
    queue.push(job);
    if (isRequest(job)) this.#joint?.leave(key);
    if (!this.#running.has(key)) this.#running.set(key, this.#runQueue(key));
  }

  /** Stops all writes, as the death of the process would; a commit in progress may still succeed. */
  halt(): void {
    this.#halted = true;
    for (const queue of this.#queues.values()) stopped(queue.drain());
  }

  /** Waiting jobs, and commits since the start. */
  get work(): {
    readonly waiting: number;
    readonly groups: number;
    readonly jobs: number;
    /** Ecosystems excluded from joint transactions at present. */
    readonly apart: number;
  } {
    let waiting = 0;
    for (const key of this.#queues.values()) waiting += key.length;
    return { waiting, groups: this.#groupCount, jobs: this.#jobCount, apart: this.#joint?.apart ?? 0 };
  }

  /** Resolves when no job waits. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #runQueue(key: string): Promise<void> {
    for (;;) {
      // Jobs that arrive in the same turn of the event loop join the group.
      await nextTurn();
      const queue = this.#queues.get(key);
      if (!queue || queue.length === 0) break;
      if (!this.#joint || queue.hasRequests || this.#joint.isApart(key)) await this.#commitGroup(queue.next(), queue);
      else await this.#joint.turn(key, queue);
    }
    this.#queues.delete(key);
    this.#running.delete(key);
  }

  async #commitGroup(group: readonly Job[], behind: WriteQueue, tries = 1): Promise<void> {
    if (this.#halted) return stopped(group);
    let committed: Committed | undefined;
    try {
      // Savepoints cost two statements a job: they are used only after a job of the group has failed.
      committed = (await this.#groups.attempt(group, false)) ?? (await this.#groups.attempt(group, true));
    } catch (error) {
      if (isContention(error) && tries < MOST_TRIES) {
        // Nothing was committed. A job alone locks only its own rows, and the order stays.
        for (const job of group) await this.#commitGroup([job], behind, tries + 1);
        return;
      }
      this.#refuse(error, group, [behind]);
      return;
    }
    if (committed) this.#done(committed, group.length);
  }

  /** @param behind queues that wait for the same database */
  #refuse(error: unknown, jobs: readonly Job[], behind: readonly WriteQueue[]): void {
    const refusal = storeRefusal(error);
    this.#options.onRefused(refusal, new Set(jobs.map(({ eco }) => eco)));
    for (const { caller } of jobs) caller.reject(refusal);
    if (!isSilence(refusal)) return;
    // Jobs that arrived meanwhile have waited as long for a silent database, and would have to wait again.
    for (const queue of behind) for (const { caller } of queue.drain()) caller.reject(new StoreAway(refusal.cause));
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

function stopped(jobs: readonly Job[]): void {
  const refusal = new NamedError("Service Unavailable", "This process is stopping and no longer writes.");
  for (const { caller } of jobs) caller.reject(refusal);
}
