/** Writes how commands end: each refusal and each result enters the journal before it is told, and waits in memory while the disk takes nothing. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import {
  type CommandEnd,
  type CommandRequest,
  type JournalEntry,
  type PropertyTarget,
  type State,
  StoreClosed,
  type StoredResult,
} from "../state/index.ts";
import { cutOff, refused } from "./answers.ts";
import type { Refusal } from "./decision.ts";
import { Unwritten } from "./unwritten.ts";

export interface CommandEndsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly state: Pick<State, "entry" | "refuse" | "end">;
  /** See `Doubts`. */
  readonly doubts: { raise(target: PropertyTarget): void; known(target: PropertyTarget, asked: number): void };
}

export class CommandEnds {
  readonly #deps: CommandEndsDeps;
  readonly #unwritten: Unwritten;

  constructor(deps: CommandEndsDeps) {
    this.#deps = deps;
    this.#unwritten = new Unwritten(deps);
  }

  /** What is known of a command, in the journal or in memory. */
  entry(command: string): JournalEntry | undefined {
    return this.#unwritten.entry(command) ?? this.#deps.state.entry(command);
  }

  /**
   * A refusal is in the journal before it is told; while that cannot be written, in memory.
   * @throws Overloaded when the disk takes nothing, and too many refusals are in memory
   */
  async refuse(request: CommandRequest, why: Refusal): Promise<StoredResult> {
    const { clock, log, state } = this.#deps;
    const end = refused(request, why, clock.now());
    let entry: JournalEntry | undefined;
    try {
      entry = await state.refuse(request, end);
    } catch (failure) {
      log.error(
        { command: request.id, failure: String(failure) },
        "a refused command could not be written to the journal",
      );
      // What was begun before may have touched the device, even if the disk takes nothing now.
      if (!(failure instanceof StoreClosed)) entry = state.entry(request.id);
    }
    if (!entry) return this.#unwritten.refused(request, end);
    return entry.kind === "ended" ? entry.result : unknownEnd(request, clock.now());
  }

  /**
   * @param asked when the device was asked; see `Doubts.moment`
   * @throws what the store threw; the end is written later then
   */
  async end(end: CommandEnd, asked: number): Promise<StoredResult> {
    const { log, state, doubts } = this.#deps;
    try {
      const result = await state.end(end);
      if (end.outcome === "confirmed") doubts.known(end, asked);
      return result;
    } catch (failure) {
      log.error({ command: end.command, failure: String(failure) }, "the result of a command could not be stored yet");
      const mayHaveActed = end.outcome === "confirmed" || end.outcome === "unknown";
      this.#unwritten.ended(end, () => mayHaveActed && doubts.raise(end));
      throw failure;
    }
  }
}

/** What is told of a command that was begun, and of whose end the journal knows nothing. */
export function unknownEnd(request: CommandRequest, now: number): StoredResult {
  return { kind: "result", n: 0, ...cutOff(request, now) };
}
