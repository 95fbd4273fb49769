/**
 * Refusals and ends of commands that the disk did not accept: kept in memory and written as soon as possible.
 *
 * Until then a refused command is not begun when it is repeated, and a command whose end is not written is `unknown`. The device may have
 * reported another value meanwhile, which then has the smaller number: so an end is written without its value.
 */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import {
  type CommandEnd,
  type CommandRequest,
  type JournalEntry,
  type State,
  StoreClosed,
  type StoredResult,
} from "../state/index.ts";

export interface UnwrittenDeps {
  readonly clock: Clock;
  readonly state: Pick<State, "end" | "refuse">;
}

/** Interval at which a disk that refuses writes is tried again, ms. */
const AGAIN_MS = 1000;
/**
 * Maximum refusals that are kept, and characters of their values. A reported refusal must stay; beyond the limit, a command throws
 * `Overloaded`.
 */
const MOST = { count: 2_000, bytes: 4 * 1024 * 1024 };

/** A command was neither begun nor refused, because no more refusals can be kept; it may be sent again. */
export class Overloaded extends Error {
  constructor() {
    super("the hub can neither carry out the command nor keep its refusal");
  }
}

export class Unwritten {
  readonly #deps: UnwrittenDeps;
  readonly #refused = new Map<string, StoredResult>();
  /** Characters of the values of kept refusals. */
  #bytes = 0;
  /** Waiting writes, in order; each is tried until it succeeds. */
  #writes: (() => Promise<void>)[] = [];
  #isRunning = false;

  constructor(deps: UnwrittenDeps) {
    this.#deps = deps;
  }

  /** The reported refusal of a command, in the form of its journal entry. */
  entry(command: string): JournalEntry | undefined {
    const result = this.#refused.get(command);
    return result && { kind: "ended", result };
  }

  /**
   * Keeps a refusal. Returns its result, which has no number in the history; a repeated call returns the same.
   * @throws Overloaded when there is no room
   */
  refused(request: CommandRequest, end: CommandEnd): StoredResult {
    const kept = this.#refused.get(request.id);
    if (kept) return kept;
    const bytes = JSON.stringify(request.value).length;
    if (this.#refused.size >= MOST.count || this.#bytes + bytes > MOST.bytes) throw new Overloaded();
    const result: StoredResult = { kind: "result", n: 0, ...end };
    this.#refused.set(request.id, result);
    this.#bytes += bytes;
    this.#later(async () => {
      await this.#deps.state.refuse(request, end);
      this.#refused.delete(request.id);
      this.#bytes -= bytes;
    });
    return result;
  }

  /** Keeps the end of a command that was begun. @param written called when it is in the journal */
  ended({ value: _, ...end }: CommandEnd, written: () => void): void {
    this.#later(async () => {
      await this.#deps.state.end(end);
      written();
    });
  }

  #later(write: () => Promise<void>): void {
    this.#writes.push(write);
    if (!this.#isRunning) void this.#run();
  }

  /** Runs until everything is written, or the store is closed: then the next start ends begun commands as unknown. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#writes.length > 0) {
      await sleep(this.#deps.clock, "what the disk did not take", AGAIN_MS);
      const writes = this.#writes;
      this.#writes = [];
      // Concurrently, so that they share a commit.
      const results = await Promise.allSettled(writes.map((write) => write()));
      const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      if (failures.some((failure) => failure instanceof StoreClosed)) return;
      this.#writes = [...writes.filter((_, at) => results[at]?.status === "rejected"), ...this.#writes];
    }
    this.#isRunning = false;
  }
}
