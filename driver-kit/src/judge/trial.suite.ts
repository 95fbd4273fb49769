/** One test of a driver: its world, the driver made over it, the host that hears it, and the time in which all of it happens. */
import { inspect } from "node:util";
import { type Clock, type LogWrite, seededRandom, settle, VirtualClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { attemptOf } from "../contract/carry-out.ts";
import type { Attempt, DriverResult } from "../contract/driver.ts";
import { FakeHost } from "../host/fake-host.fixture.ts";
import { forwarding, type SharedHost, shareHost } from "../host/session-claims.ts";
import type { StatedDriver } from "../host/supervised.ts";
import {
  type CrowdDevice,
  type DriverWorld,
  given,
  type JudgeOptions,
  type MakeDriver,
  type OpenWorld,
  type Stage,
} from "./world.suite.ts";

/** How long all devices may take to be there, ms of virtual time. */
const ARRIVAL_MS = 120_000;
/** Turns of the event loop without a timer after which nothing more is to be expected. */
const LAST_TURNS = 2000;
/** Before the names of the fake's timers. */
const FAKE = "fake: ";

export interface Permission {
  readonly mayTouch?: () => boolean;
  readonly signal?: AbortSignal;
}

export interface TrialOptions extends JudgeOptions {
  readonly seed?: number;
  /** Devices beside the first. */
  readonly crowd?: number;
  /** What is done to the world before the driver is made. */
  readonly before?: (world: DriverWorld, crowd: readonly CrowdDevice[]) => void;
  /** Whether the trial begins when every device is there and has been read; when false, at once. */
  readonly waits?: boolean;
}

export class Trial implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly host: FakeHost;
  readonly world: DriverWorld;
  readonly crowd: readonly CrowdDevice[];
  /** Every line that was logged, with its fields spelled out. */
  readonly logged: readonly string[];
  readonly #make: MakeDriver;
  readonly #started: () => number;
  readonly #reported: { readonly count: number };
  #driver: StatedDriver;

  private constructor(parts: Pick<Trial, "clock" | "host" | "world" | "crowd" | "logged">, life: Life) {
    this.clock = parts.clock;
    this.host = parts.host;
    this.world = parts.world;
    this.crowd = parts.crowd;
    this.logged = parts.logged;
    this.#make = life.make;
    this.#started = life.timersStarted;
    this.#reported = life.reported;
    this.#driver = life.driver;
  }

  /** Opens a world and makes its driver, as the options say. */
  static async begin(open: OpenWorld, options: TrialOptions = {}): Promise<Trial> {
    const { seed = 1, crowd: count = 0, through, before, waits = true } = options;
    const clock = new VirtualClock();
    const random = seededRandom(seed);
    const fakeClock = fakeOf(clock);
    const timers = countingTimers(clock);
    const logged: string[] = [];
    const write: LogWrite = (fields, message) => void logged.push(`${message} ${inspect(fields, { depth: 8 })}`);
    const log = { debug: write, info: write, warn: write, error: write };
    const stage: Stage = { clock: timers.clock, fakeClock, random, log };
    const world = await open(stage);
    const crowd = count === 0 ? [] : given(world.crowd?.bind(world), "crowd")(count);
    before?.(world, crowd);
    const host = new FakeHost(fakeClock);
    host.log = log;
    const reported = { count: 0 };
    const counted = (given: SharedHost) => world.make(countingReports(given, reported));
    const make = through ? through(counted, stage) : counted;
    const driver = await make(shareHost(host));
    const life = { make, driver, timersStarted: timers.started, reported };
    const trial = new Trial({ clock, host, world, crowd, logged }, life);
    if (waits) await trial.allThere();
    return trial;
  }

  get driver(): StatedDriver {
    return this.#driver;
  }

  /** Timers that the driver has started so far. */
  get timersStarted(): number {
    return this.#started();
  }

  /** Reports and pushes of the driver, with any result. */
  get reportCount(): number {
    return this.#reported.count;
  }

  /** Names of the driver's timers that are waiting. */
  get pending(): string[] {
    return this.clock.pending().filter((name) => !name.startsWith(FAKE));
  }

  /** Lets time pass until every device is live, and a second more for what it says of itself. */
  async allThere(): Promise<void> {
    const missing = () => this.edgeIds.filter((edgeId) => !this.host.live.has(edgeId));
    const all = async () => {
      for (let left = missing(); left.length > 0; left = missing()) await this.host.nextLine();
    };
    await this.clock.until(all(), ARRIVAL_MS, LAST_TURNS);
    await this.clock.advance(1000);
  }

  /** Of the world's device, and of the crowd. */
  get edgeIds(): string[] {
    return [this.world.device, ...this.crowd.map(({ edgeId }) => edgeId)];
  }

  /** Permission to try for `ms` from now. */
  attempt(ms: number, { mayTouch = () => true, signal }: Permission = {}): Attempt {
    return attemptOf(this.clock, { deadline: this.clock.monotonic() + ms, mayTouch, signal });
  }

  write(value: Value, ms = 5000, permission?: Permission): Promise<DriverResult> {
    return this.driver.write(this.world.device, this.world.property, value, this.attempt(ms, permission));
  }

  read(ms = 5000, permission?: Permission): Promise<DriverResult> {
    return this.driver.read(this.world.device, this.world.property, this.attempt(ms, permission));
  }

  /** Lets time pass until it is settled. */
  settled<T>(promise: Promise<T>, limitMs = 600_000): Promise<T> {
    return this.clock.until(promise, limitMs, LAST_TURNS);
  }

  /** Ends the driver, and gives time for nothing else. */
  end(): Promise<void> {
    return this.settled(Promise.resolve(this.#driver[Symbol.asyncDispose]()));
  }

  /** Makes the driver anew over the same world, after it has ended. */
  async again(): Promise<void> {
    this.#driver = await this.#make(shareHost(this.host));
    await this.allThere();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await settle();
  }
}

interface Life {
  readonly make: MakeDriver;
  readonly driver: StatedDriver;
  readonly timersStarted: () => number;
  readonly reported: { readonly count: number };
}

/** The same time; its timers can be distinguished from those of the driver. */
function fakeOf(clock: Clock): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    timer: (name, ms, fire) => clock.timer(`${FAKE}${name}`, ms, fire),
  };
}

function countingReports(host: SharedHost, reported: { count: number }): SharedHost {
  return {
    ...forwarding(host),
    reported: (report, source) => {
      reported.count += 1;
      return host.reported(report, source);
    },
    pushed: (observation) => {
      reported.count += 1;
      return host.pushed(observation);
    },
    whenFree: (edgeId, taken) => host.whenFree(edgeId, taken),
  };
}

function countingTimers(clock: Clock): { readonly clock: Clock; readonly started: () => number } {
  let count = 0;
  const timer: Clock["timer"] = (name, ms, fire) => {
    count += 1;
    return clock.timer(name, ms, fire);
  };
  return { clock: { now: () => clock.now(), monotonic: () => clock.monotonic(), timer }, started: () => count };
}
