/**
 * A driver that is started again when it fails: it shields the hub from a driver's mistakes.
 *
 * Invariants: a driver that cannot start, throws, rejects, or reports failure costs the hub that driver's devices and nothing else; a
 * report from an earlier life of the driver has no effect; no call of a driver keeps its caller past the deadline.
 */
import { Backoff, type BackoffPolicy, type Clock, type Log, type Random, sleep } from "@porchlight/shared/kernel";
import { notApplied, unanswered, unknownOutcome, WatchedAttempt } from "../contract/carry-out.ts";
import {
  type Attempt,
  type Driver,
  type DriverHost,
  type DriverResult,
  type FoundDevice,
  SetupFailed,
  type SetupKind,
  type SetupTalk,
  type UnpairedDevice,
} from "../contract/driver.ts";
import { asShared, type SharedHost } from "./session-claims.ts";

/** A driver, and its own part of `status`. */
export interface StatedDriver extends Driver {
  status?(): unknown;
}

export interface SupervisedDeps {
  /** The driver's name, for logs and `status`. */
  readonly name: string;
  /** Creates a new driver at each call. */
  readonly start: (host: SharedHost) => StatedDriver | Promise<StatedDriver>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly backoff?: BackoffPolicy | undefined;
}

/** What `status` shows in addition to the driver's own part. */
export interface Supervision {
  readonly driver: "starting" | "running" | "failed" | "stopped";
  /** Number of starts after the first. */
  readonly restarts: number;
  /** Why the driver was last started again. */
  readonly failure?: string | undefined;
}

const BACKOFF: BackoffPolicy = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };
/** How long a driver may take to end, ms; then the next life starts without waiting for it. */
const ENDING_MS = 5000;
/** How long the hub waits for an attempt after its deadline, ms: a driver that keeps the deadline has answered by then. */
const GRACE_MS = 1000;
const NOT_RUNNING = notApplied("The device's driver is not running.");

/** One start of the driver, and the devices that it has brought. */
interface Life {
  readonly driver: StatedDriver;
  readonly devices: Set<string>;
  readonly fail: (why: unknown) => void;
  /** Settles when the life is over. */
  readonly over: Promise<unknown>;
}

export class SupervisedDriver implements StatedDriver {
  readonly name: string;
  readonly #deps: SupervisedDeps;
  readonly #host: SharedHost;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #life: Life | undefined;
  #state: Supervision["driver"] = "starting";
  #starts = 0;
  #failure: string | undefined;

  constructor(deps: SupervisedDeps) {
    this.name = deps.name;
    this.#deps = deps;
    this.#host = asShared(deps.host);
    this.#ended = this.#run();
  }

  has(edgeId: string): boolean {
    return this.#guarded((driver) => driver.has(edgeId)) ?? false;
  }

  read(device: string, ...rest: [Parameters<Driver["read"]>[1], Attempt]): Promise<DriverResult> {
    const [address, attempt] = rest;
    return this.#attempt(attempt, (driver, watched) => driver.read(device, address, watched));
  }

  write(
    device: string,
    ...rest: [Parameters<Driver["write"]>[1], Parameters<Driver["write"]>[2], Attempt]
  ): Promise<DriverResult> {
    const [address, value, attempt] = rest;
    return this.#attempt(attempt, (driver, watched) => driver.write(device, address, value, watched));
  }

  /** Forwards devices that belong to another hub, if the driver supports that. */
  yield(edgeIds: readonly string[]): void {
    this.#guarded((driver) => driver.yield?.(edgeIds));
  }

  found(): readonly FoundDevice[] {
    return this.#guarded((driver) => driver.found?.()) ?? [];
  }

  unpaired(): readonly UnpairedDevice[] {
    return this.#guarded((driver) => driver.unpaired?.()) ?? [];
  }

  problem(): string | undefined {
    return this.#guarded((driver) => driver.problem?.());
  }

  setups(): readonly SetupKind[] {
    return this.#guarded((driver) => driver.setups?.()) ?? [];
  }

  /** Runs a setup. A setup that is still open when its driver's life ends fails. */
  async setup(kind: string, talk: SetupTalk): Promise<void> {
    const life = this.#life;
    const work = this.#guarded((driver) => driver.setup?.(kind, talk));
    if (!life || !work) throw new SetupFailed("The driver is not running.");
    const over = life.over.then(() => Promise.reject(new SetupFailed("The driver has stopped.")));
    await Promise.race([work, over]);
  }

  status() {
    const own = this.#guarded((driver) => driver.status?.());
    const supervision: Supervision = {
      driver: this.#state,
      restarts: Math.max(0, this.#starts - 1),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
    };
    return typeof own === "object" && own !== null ? { ...own, ...supervision } : supervision;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#ended;
  }

  /** Runs one life after another, until the end. */
  async #run(): Promise<void> {
    const { clock, random, log, name, backoff = BACKOFF } = this.#deps;
    const { signal } = this.#ending;
    const waits = new Backoff(backoff, random);
    while (!signal.aborted) {
      this.#state = "starting";
      this.#starts += 1;
      const startedAt = clock.monotonic();
      const why = await this.#live(signal);
      if (signal.aborted) break;
      this.#state = "failed";
      this.#failure = why instanceof Error ? why.message : String(why);
      log.error({ driver: name, failure: this.#failure }, "a driver has failed; it is restarted");
      const ms = waits.next(clock.monotonic() - startedAt);
      await sleep(clock, "driver to be started again", ms, signal).catch(() => undefined);
    }
    this.#state = "stopped";
  }

  /** Runs one life of the driver; resolves with the reason for its end. Never rejects. */
  async #live(signal: AbortSignal): Promise<unknown> {
    const failed = Promise.withResolvers<unknown>();
    const devices = new Set<string>();
    let isOver = false;
    let driver: StatedDriver | undefined;
    const stop = () => failed.resolve(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const host = this.#hostOf(devices, () => !isOver);
      const starting = Promise.resolve().then(() => this.#deps.start(host));
      // A start that completes after the hub gave it up is undone.
      starting.then(
        (late) => (isOver ? this.#endDriver(late) : undefined),
        () => undefined,
      );
      const started = await Promise.race([starting, failed.promise.then(() => undefined)]);
      if (!started) return await failed.promise;
      driver = started;
      this.#life = { driver, devices, fail: failed.resolve, over: failed.promise };
      this.#state = "running";
      driver.failed?.then(failed.resolve, failed.resolve);
      return await failed.promise;
    } catch (failure) {
      return failure;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#life = undefined;
      if (driver) await this.#endDriver(driver);
      isOver = true;
      // Devices that the driver did not report as left are reported for it.
      for (const edgeId of devices) this.#tellLeft(edgeId);
    }
  }

  async #endDriver(driver: StatedDriver): Promise<void> {
    const { clock, log, name } = this.#deps;
    const patience = new AbortController();
    const late = sleep(clock, "driver to end", ENDING_MS, patience.signal).then(
      () => log.error({ driver: name }, "a driver does not end; the hub continues without waiting for it"),
      () => undefined,
    );
    const ended = Promise.resolve()
      .then(() => driver[Symbol.asyncDispose]())
      .catch((failure: unknown) =>
        log.error({ driver: name, failure: String(failure) }, "a driver ended with an error"),
      );
    await Promise.race([ended, late]);
    patience.abort();
  }

  /** The host for one life: it ignores calls after that life is over, and records which devices have arrived. */
  #hostOf(devices: Set<string>, isCurrent: () => boolean): SharedHost {
    const host = this.#host;
    return {
      log: host.log,
      arrived: (device) => {
        if (!isCurrent()) return "refused";
        const answer = host.arrived(device);
        if (answer === "admitted") devices.add(device.edgeId);
        return answer;
      },
      described: (device) => {
        if (isCurrent() && devices.has(device.edgeId)) host.described(device);
      },
      opened: (transport) => {
        if (isCurrent()) host.opened(transport);
      },
      left: (edgeId) => {
        if (isCurrent() && devices.delete(edgeId)) host.left(edgeId);
      },
      reported: async (report, source) => (isCurrent() ? host.reported(report, source) : "busy"),
      pushed: async (observation) =>
        isCurrent() && devices.has(observation.device) ? host.pushed(observation) : "refused",
      learned: async (observation) => {
        if (isCurrent()) await host.learned(observation);
      },
      unread: (device, address) => {
        if (isCurrent()) host.unread(device, address);
      },
      forgetReports: (node) => {
        if (isCurrent()) host.forgetReports(node);
      },
      whenFree: (edgeId, taken) => host.whenFree(edgeId, taken),
    };
  }

  #tellLeft(edgeId: string): void {
    try {
      this.#host.left(edgeId);
    } catch (failure) {
      this.#deps.log.error(
        { device: edgeId, failure: String(failure) },
        "it could not be stored that a device has left",
      );
    }
  }

  /** Calls the driver for an immediate answer; an error ends the driver's life. */
  #guarded<T>(ask: (driver: StatedDriver) => T): T | undefined {
    const life = this.#life;
    if (!life) return undefined;
    try {
      return ask(life.driver);
    } catch (failure) {
      life.fail(failure);
      return undefined;
    }
  }

  /** An attempt always ends with a result: also when the driver throws or is late, by whether it has touched the device. */
  #attempt(
    attempt: Attempt,
    make: (driver: Driver, watched: WatchedAttempt) => Promise<DriverResult>,
  ): Promise<DriverResult> {
    const life = this.#life;
    if (!life) return Promise.resolve(NOT_RUNNING);
    const { clock } = this.#deps;
    const watched = new WatchedAttempt(attempt);
    const left = Math.max(0, attempt.deadline - clock.monotonic()) + GRACE_MS;
    return new Promise((resolve) => {
      const answer = (result: DriverResult) => {
        timer.cancel();
        watched.end();
        resolve(result);
      };
      const late = "The device's driver did not answer in time.";
      const timer = clock.timer("answer of a driver", left, () =>
        answer(watched.isTouched ? unknownOutcome(late, "Hub Timeout") : { ...notApplied(late), name: "Hub Timeout" }),
      );
      const fail = (failure: unknown) => {
        life.fail(failure);
        answer(unanswered(watched, "The device's driver has failed."));
      };
      try {
        make(life.driver, watched).then(answer, fail);
      } catch (failure) {
        fail(failure);
      }
    });
  }
}
