/**
 * What the hub's disk did not take of commands: refusals and ends, kept in memory and written as soon as it takes them.
 *
 * Until then a command that was refused is not begun when it is asked again, and one whose end is not written is unknown. The device
 * may have told another value meanwhile, which has the smaller number then: so an end is written without its value.
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

/** How often a disk that refuses is asked again, ms. */
const AGAIN_MS = 1000;
/** Refusals that are kept, and the characters of their values. What has been told must stay, so that a further command is not refused. */
const MOST = { count: 2_000, bytes: 4 * 1024 * 1024 };

/** A command was neither begun nor refused, because no more refusals can be kept; it may be asked again. */
export class Overloaded extends Error {
  constructor() {
    super("the hub can neither carry out the command nor keep its refusal");
  }
}

export class Unwritten {
  readonly #deps: UnwrittenDeps;
  readonly #refused = new Map<string, StoredResult>();
  /** Of the values of what is refused, characters. */
  #bytes = 0;
  /** In order; each is tried until it succeeds. */
  #writes: (() => Promise<void>)[] = [];
  #isRunning = false;

  constructor(deps: UnwrittenDeps) {
    this.#deps = deps;
  }

  /** What was told of a command that was refused, as its journal entry would say it. */
  entry(command: string): JournalEntry | undefined {
    const result = this.#refused.get(command);
    return result && { kind: "ended", result };
  }

  /**
   * Keeps a refusal. Gives what is told of it, which has no number in the history; of one that is kept already, the same.
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

  /** Until everything is written, or the store is closed: the next start ends what was begun as unknown then. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#writes.length > 0) {
      await sleep(this.#deps.clock, "what the disk did not take", AGAIN_MS);
      const writes = this.#writes;
      this.#writes = [];
      // Together, so that they share a commit.
      const results = await Promise.allSettled(writes.map((write) => write()));
      const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      if (failures.some((failure) => failure instanceof StoreClosed)) return;
      this.#writes = [...writes.filter((_, at) => results[at]?.status === "rejected"), ...this.#writes];
    }
    this.#isRunning = false;
  }
}
