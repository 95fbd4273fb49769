/**
 * Writes the ends of commands: each refusal and each result enters the journal before it is reported, and waits in memory while the disk
 * accepts no writes.
 */
import type { DriverResult } from "@porchlight/driver-kit";
import { type Clock, type Log, sleep, type TimingBreakdown } from "@porchlight/shared/kernel";
import type { Failure } from "@porchlight/shared/tunnel";
import {
  type CommandEnd,
  type CommandRequest,
  type JournalEntry,
  type PropertyTarget,
  type State,
  StoreClosed,
  type StoredResult,
} from "../state/index.ts";
import type { Refusal } from "./decision.ts";

interface CommandEndsDeps {
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

  /** The entry of a command, in the journal or in memory. */
  entry(command: string): JournalEntry | undefined {
    return this.#unwritten.entry(command) ?? this.#deps.state.entry(command);
  }

  /**
   * Refuses a command. The refusal is in the journal before it is reported, or in memory while it cannot be written.
   * @throws Overloaded when the disk accepts no writes, and too many refusals are in memory
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
      // A command that was begun before may have touched the device, even if the disk accepts no writes now.
      if (!(failure instanceof StoreClosed)) entry = state.entry(request.id);
    }
    if (!entry) return this.#unwritten.refused(request, end);
    return entry.kind === "ended" ? entry.result : unknownEnd(request, clock.now());
  }

  /**
   * @param asked when the device was asked; see `Doubts.moment`
   * @throws what the store threw; then the end is written later
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

/** The result of a command that was begun, and whose end is not in the journal. */
export function unknownEnd(request: CommandRequest, now: number): StoredResult {
  return { kind: "result", n: 0, ...cutOff(request, now) };
}

/** Longest `detail` of a failure (frames.ts). */
const LONGEST_DETAIL = 1024;

const REFUSALS: Readonly<Record<Refusal, Failure>> = {
  undescribed: {
    name: "Device Rejected",
    detail: "The device no longer has this property: it was not asked.",
  },
  cancelled: { name: "Hub Timeout", detail: "The caller no longer waited: the device was not asked." },
  late: { name: "Hub Timeout", detail: "The deadline had passed before its turn: the device was not asked." },
  lease: { name: "Hub Timeout", detail: "The hub's tunnel was no longer live: the device was not asked." },
  unreachable: { name: "Device Unreachable", detail: "The device is not live on any link of the hub." },
  unmet: {
    name: "Device Unreachable",
    detail:
      "The hub or the line of the device has just started, and the device was not ready in time: it was not asked.",
  },
  overloaded: {
    name: "Device Unreachable",
    detail: "Too many requests wait for the hub's devices: the device was not asked.",
  },
  journal: { name: "Device Unreachable", detail: "The hub cannot write its journal: the device was not asked." },
};

const CUT_OFF: Failure = { name: "Hub Timeout", detail: "The command had already begun, and its result is not known." };

/** The failure of a read or command that did not touch the device. */
export function refusal(why: Refusal): Failure {
  return REFUSALS[why];
}

/** The end of a command that was not begun. */
function refused(request: CommandRequest, why: Refusal, now: number): CommandEnd {
  const outcome = why === "undescribed" ? "rejected" : "not_applied";
  return { ...ending(request, now), outcome, failure: refusal(why) };
}

/** The end of a command that was begun in another life of the agent, or whose end could not be written. */
function cutOff(request: CommandRequest, now: number): CommandEnd {
  return { ...ending(request, now), outcome: "unknown", failure: CUT_OFF };
}

/** The end of a command by its driver's result. @param ms durations of its steps, stored to a tenth of a ms */
export function ended(request: CommandRequest, result: DriverResult, now: number, { ms }: Hops): CommandEnd {
  const hops: Record<string, number> = {};
  for (const name in ms) hops[name] = Math.round((ms[name] ?? 0) * 10) / 10;
  const end = { ...ending(request, now), hops };
  if (result.kind === "value") return { ...end, outcome: "confirmed", value: result.value };
  return { ...end, outcome: result.outcome, failure: failureOf(result) };
}

type Hops = Pick<TimingBreakdown, "ms">;

/** A driver's failure in the form of the tunnel, whose codes are not negative: any other code is appended to the detail. */
export function failureOf(result: Extract<DriverResult, { kind: "failed" }>): Failure {
  const { name, code } = result;
  const isCarried = code === undefined || (Number.isSafeInteger(code) && code >= 0);
  const detail = (isCarried ? result.detail : `${result.detail} (code ${code})`).slice(0, LONGEST_DETAIL);
  return code === undefined || !isCarried ? { name, detail } : { name, detail, code };
}

function ending({ id, device, service, index, property, value, local, scene }: CommandRequest, now: number) {
  const end = { command: id, device, service, index, property, requested: value, observedAt: now };
  return local || scene ? { ...end, ...(local && { local }), ...(scene && { scene }) } : end;
}

interface UnwrittenDeps {
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

/**
 * Refusals and ends of commands that the disk did not accept: kept in memory and written as soon as possible.
 *
 * Until then a refused command is not begun when it is repeated, and a command whose end is not written is `unknown`. The device may have
 * reported another value meanwhile, which then has the smaller number: so an end is written without its value.
 */
class Unwritten {
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
