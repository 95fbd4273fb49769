/**
 * Executes commands and reads: at most once, in time, in order per property.
 *
 * Invariants: a command touches hardware only after its journal entry is committed, and its answer is sent only after the entry's end is
 * committed. This includes refusals: an ID that was refused once never touches hardware. Requests for one property are executed in the
 * order in which they came; no failure of a device throws here.
 */
import { acceptedObservation, attemptOf, type Driver, type DriverResult, type Permit } from "@porchlight/driver-kit";
import {
  type Clock,
  KeyedQueue,
  KeyedSemaphore,
  type Log,
  Semaphore,
  TimingBreakdown,
} from "@porchlight/shared/kernel";
import { findProperty, UNKNOWN_TIME, type Value } from "@porchlight/shared/model";
import type { Failure } from "@porchlight/shared/tunnel";
import {
  type CommandRequest,
  type Learned,
  type PropertyTarget,
  type State,
  type StoredResult,
  targetKey,
} from "../state/index.ts";
import { CommandEnds, ended, failureOf, Overloaded, refusal, unknownEnd } from "./command-ends.ts";
import { decide, permissionFor } from "./decision.ts";
import type { DeviceAvailability } from "./device-availability.ts";

/** The permission to touch hardware, and its deadline: for the cloud it depends on the tunnel and its live lease. */
export interface ExecutionPermit extends Permit {
  /** Whether the caller can still receive an answer; always, when left out. If not, nothing is refused: the request may come again. */
  readonly mayAnswer?: (() => boolean) | undefined;
}

/** The unknown values that commands and reads find; see `doubtful-values.ts`. */
export interface Doubts {
  /** Take it right before a device is read: the answer ends the doubts that were raised by then. */
  readonly moment: number;
  /** The current value of the property is unknown. */
  raise(target: PropertyTarget): void;
  /** The device's answer to a read begun at that moment is stored. */
  known(target: PropertyTarget, asked: number): void;
  /** Whether the current value of the property is unknown. */
  has(target: PropertyTarget): boolean;
}

export interface CommandsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly state: Pick<State, "entry" | "begin" | "refuse" | "end" | "learn" | "value" | "device">;
  /** The driver on whose link the device is live. */
  readonly driverOf: (device: string) => Pick<Driver, "read" | "write"> | undefined;
  /** Whether a device without a driver may arrive soon. */
  readonly availability: Pick<DeviceAvailability, "of" | "known">;
  /** Receives the values that a command or a read has left unknown, and those that are known. */
  readonly doubts: Doubts;
  readonly limits?: (SlotLimits & { readonly waiting: number }) | undefined;
}

/** The caller cannot receive an answer any more: the command was neither begun nor refused, and may be sent again. */
export class NoListener extends Error {
  constructor() {
    super("the command came over a connection that has ended");
  }
}

/** A value that was read, with its number in the history, or the reason of the failure. */
export type ReadResult =
  | { readonly n: number; readonly value: Value; readonly observedAt: number }
  | { readonly failure: Failure };

/** The result of a turn, or a promise after which it must be repeated because the device has not appeared yet. */
type Turn<T> = { readonly done: T } | { readonly again: Promise<void> };

type Read =
  | { readonly failed: Failure }
  /** `asked`: see {@link Doubts.moment}. */
  | { readonly value: Value; readonly asked: number; readonly learned: Promise<Learned> };

const LIMITS = { total: 256, perDevice: 16, waiting: 10_000 };

export class Commands {
  readonly #deps: CommandsDeps;
  readonly #order = new KeyedQueue();
  readonly #slots: Slots;
  readonly #mostWaiting: number;
  readonly #ends: CommandEnds;
  #waiting = 0;

  constructor(deps: CommandsDeps) {
    const { waiting, ...slots } = deps.limits ?? LIMITS;
    this.#deps = deps;
    this.#slots = new Slots(slots);
    this.#ends = new CommandEnds(deps);
    this.#mostWaiting = waiting;
  }

  /** Commands and reads that wait or run. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Executes a command, or answers it from the journal. A result that is not in the journal has the number 0.
   * @param given collects the durations of the steps: `turn`, `journal`, `device`
   * @throws NoListener, Overloaded; what the store threw, when the end of a command that was begun could not be written yet
   */
  command(request: CommandRequest, permit: ExecutionPermit, given?: TimingBreakdown): Promise<StoredResult> {
    const hops = given ?? new TimingBreakdown(this.#deps.clock);
    return this.#inTurn(
      request,
      () => this.#carryOut(request, permit, hops),
      () => this.refuse(request),
    );
  }

  /** Refuses a command because too many requests are open, without a turn. @throws Overloaded when the refusal cannot be kept either */
  refuse(request: CommandRequest): Promise<StoredResult> {
    return this.#ends.refuse(request, "overloaded");
  }

  /**
   * Reads properties from their devices concurrently; one result for each, in their order.
   * @param maxAgeMs a value that its device has confirmed within this time is not read again, ms; 0 when left out
   */
  read(targets: readonly PropertyTarget[], permit: ExecutionPermit, maxAgeMs = 0): Promise<ReadResult[]> {
    return Promise.all(targets.map((target) => this.#fresh(target, maxAgeMs) ?? this.#readOne(target, permit)));
  }

  /** The stored value, if its device is live and has confirmed it within that time. */
  #fresh(target: PropertyTarget, maxAgeMs: number): ReadResult | undefined {
    const { state, clock, doubts, availability } = this.#deps;
    if (maxAgeMs === 0 || availability.of(target.device) !== "there" || doubts.has(target)) return undefined;
    const stored = state.value(target);
    if (!stored || stored.event || stored.observedAt === UNKNOWN_TIME) return undefined;
    const { number: n, value, observedAt } = stored;
    return clock.now() - observedAt <= maxAgeMs ? { n, value, observedAt } : undefined;
  }

  async #carryOut(
    request: CommandRequest,
    permit: ExecutionPermit,
    hops: TimingBreakdown,
  ): Promise<Turn<StoredResult>> {
    const { clock, log, state, doubts } = this.#deps;
    const step = await this.#slots.run(request.device, async () => {
      const situation = this.#situation(request, permit);
      const decision = decide(this.#ends.entry(request.id), situation);
      if (decision.kind === "wait") return this.#waitFor(request.device, permit);
      if (decision.kind !== "begin" || !situation.driver) return decision;
      hops.step("turn");
      try {
        if ((await state.begin(request)) === "known") return { kind: "unknown" } as const;
      } catch (failure) {
        const { id: command, requestId } = request;
        log.error({ command, requestId, failure: String(failure) }, "a command could not be written to the journal");
        return { kind: "refuse", why: "journal" } as const;
      }
      hops.step("journal");
      const asked = doubts.moment;
      const result = await this.#write(situation.driver, request, permit);
      hops.step("device");
      if (result.kind === "failed" && result.outcome === "unknown") doubts.raise(request);
      return { kind: "done", result, asked } as const;
    });
    const now = clock.now();
    switch (step.kind) {
      case "wait":
        return step;
      case "answer":
        return { done: step.result };
      case "unknown":
        return { done: unknownEnd(request, now) };
      case "refuse":
        return { done: await this.#ends.refuse(request, step.why) };
      case "begin":
        return { done: await this.#ends.refuse(request, "unreachable") };
      case "unheard":
        throw new NoListener();
      case "done":
        return { done: await this.#ends.end(ended(request, step.result, now, hops), step.asked) };
    }
  }

  /** The state of a device at the turn of a request, as input of the decision. */
  #situation(target: PropertyTarget, { deadline, signal, mayTouch, mayAnswer = () => true }: ExecutionPermit) {
    const { device } = target;
    const description = this.#deps.state.device(device)?.description;
    const driver = this.#deps.driverOf(device);
    const absent = this.#deps.availability.of(device) === "unmet" ? "unmet" : "gone";
    return {
      driver,
      where: driver ? "there" : absent,
      now: this.#deps.clock.monotonic(),
      deadline,
      cancelled: signal?.aborted ?? false,
      mayTouch: mayTouch(),
      mayAnswer: mayAnswer(),
      isDescribed: description === undefined || findProperty(description, target) !== undefined,
    } as const;
  }

  /** Starts to wait during the turn, so that the requests that wait for one device continue in the order of their turns. */
  #waitFor(device: string, permit: ExecutionPermit) {
    return { kind: "wait", again: this.#deps.availability.known(device, permit) } as const;
  }

  /** Writes to the device. A command that was begun continues after its caller is gone: its signal is not passed to the driver. */
  async #write(driver: Pick<Driver, "write">, request: CommandRequest, permit: ExecutionPermit): Promise<DriverResult> {
    const { clock } = this.#deps;
    const { deadline, mayTouch } = permit;
    const attempt = attemptOf(clock, { deadline, mayTouch, command: request.id });
    try {
      return this.#accepted(request, await driver.write(request.device, request, request.value, attempt));
    } catch (failure) {
      return this.#thrown("write", request, failure);
    }
  }

  /** Replaces the device's value by the value that the hub stores for it. */
  #accepted(target: PropertyTarget, result: DriverResult): DriverResult {
    if (result.kind !== "value") return result;
    const { device, service, index, property } = target;
    const description = this.#deps.state.device(device)?.description;
    const { value } = acceptedObservation(description, { service, index, property, value: result.value });
    return { ...result, value };
  }

  async #readOne(target: PropertyTarget, permit: ExecutionPermit): Promise<ReadResult> {
    const { log, doubts } = this.#deps;
    const read = await this.#inTurn<Read>(
      target,
      () => this.#slots.run(target.device, () => this.#readNow(target, permit)),
      async () => ({ failed: refusal("overloaded") }),
    );
    if ("failed" in read) return { failure: read.failed };
    try {
      const learned = await read.learned;
      doubts.known(target, read.asked);
      return { ...learned, value: read.value };
    } catch (failure) {
      doubts.raise(target);
      log.error({ target: targetKey(target), failure: String(failure) }, "a value that was read could not be stored");
      return { failure: { name: "Device Unreachable", detail: "The hub cannot store what the device answered." } };
    }
  }

  async #readNow(target: PropertyTarget, permit: ExecutionPermit): Promise<Turn<Read>> {
    const { service, index, property, device } = target;
    const situation = this.#situation(target, permit);
    const permission = permissionFor(situation);
    if (permission.kind === "wait") return this.#waitFor(device, permit);
    if (permission.kind === "refuse") return { done: { failed: refusal(permission.why) } };
    if (permission.kind === "unheard") return { done: { failed: refusal("lease") } };
    if (!situation.driver) return { done: { failed: refusal("unreachable") } };
    const asked = this.#deps.doubts.moment;
    const answer = await situation.driver
      .read(device, target, attemptOf(this.#deps.clock, permit))
      .catch((failure: unknown) => this.#thrown("read", target, failure));
    const result = this.#accepted(target, answer);
    if (result.kind === "failed") return { done: { failed: failureOf(result) } };
    const { value } = result;
    // The value gets its place in the history within its turn; its commit does not delay the next turn.
    const learned = this.#deps.state.learn({ device, service, index, property, value }, "read");
    return { done: { value, asked, learned } };
  }

  /**
   * Runs `job` after all earlier requests for the same property, and again while its device is unmet; `full` instead when too many
   * requests wait. The turn is released meanwhile: a later request may have less time, and must get its answer in time.
   */
  async #inTurn<T>(target: PropertyTarget, job: () => Promise<Turn<T>>, full: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#mostWaiting) return full();
    this.#waiting += 1;
    try {
      for (;;) {
        const turn = await this.#order.run(targetKey(target), job);
        if ("done" in turn) return turn.done;
        await turn.again;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** The result for a driver that throws: the driver is broken, which must not look like an answer of the device. */
  #thrown(what: string, target: PropertyTarget, failure: unknown): DriverResult {
    this.#deps.log.error({ what, target: targetKey(target), failure: String(failure) }, "a driver failed");
    return { kind: "failed", name: "Device Unreachable", outcome: "unknown", detail: "The hub's driver failed." };
  }
}

/** Limits of concurrent requests, in total and per device, so that a slow device delays only itself. */
interface SlotLimits {
  readonly total: number;
  readonly perDevice: number;
}

class Slots {
  readonly #all: Semaphore;
  readonly #devices: KeyedSemaphore;

  constructor({ total, perDevice }: SlotLimits) {
    this.#all = new Semaphore(total);
    this.#devices = new KeyedSemaphore(perDevice);
  }

  /** Runs `job` as soon as a slot of the device and one of the total are free. */
  run<T>(device: string, job: () => Promise<T>): Promise<T> {
    // The device's slot first: a request that waits for a slow device must not occupy a slot that others could use.
    return this.#devices.run(device, () => this.#all.run(job));
  }
}

const NOT_STORED: Failure = {
  name: "Hub Timeout",
  detail: "The device was asked, but its answer could not be stored yet.",
};

/**
 * Executes commands concurrently; one result for each, in their order. A command whose end could not be written yet is `unknown`.
 * @throws NoListener when the caller can no longer receive an answer; Overloaded when a command can neither be executed nor refused
 */
export function carryOutTogether(
  { commands, log }: { readonly commands: Pick<Commands, "command">; readonly log: Log },
  requests: readonly CommandRequest[],
  permit: ExecutionPermit,
): Promise<StoredResult[]> {
  return Promise.all(
    requests.map((request) =>
      commands.command(request, permit).catch((failure: unknown) => {
        if (failure instanceof NoListener || failure instanceof Overloaded) throw failure;
        log.error({ command: request.id, failure: String(failure) }, "the result of a command could not be stored yet");
        return unstored(request);
      }),
    ),
  );
}

/** The result of a command whose end is not in the journal yet. */
function unstored({ id, device, service, index, property, value }: CommandRequest): StoredResult {
  const target = { device, service, index, property };
  const end = { command: id, ...target, requested: value, observedAt: 0, failure: NOT_STORED };
  return { kind: "result", n: 0, ...end, outcome: "unknown" };
}
