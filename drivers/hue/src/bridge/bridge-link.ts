/**
 * One bridge: keeps its event stream open, its resources current, and offers its devices to the hub.
 *
 * Invariants: devices are present only while the stream is open and everything has been read since it was opened; every request goes
 * through `PacedRequests`.
 */
import {
  type Attempt,
  type DeviceAddresses,
  type DriverHost,
  doneInTurns,
  type FoundDevice,
  type KeptIdentities,
  LinkDevices,
  type LinkDevicesDeps,
  LoopTurns,
  Retries,
  type Work,
} from "@porchlight/driver-kit";
import { type Clock, LinkedAbort, type Log, type Random, sleep } from "@porchlight/shared/kernel";
import {
  type ApiAnswer,
  BridgeBusy,
  type BridgeConnection,
  isBusy,
  KeyRefused,
  type OpenBridge,
  SoftwareTooOld,
} from "./bridge-failures.ts";
import { BridgedDevice } from "./bridged-device.ts";
import { describeDevices } from "./describe.ts";
import { PacedRequests } from "./paced-requests.ts";
import { answer, type Reference, type ResourceChanges, ResourceSet } from "./resource.ts";

export interface BridgeLinkDeps extends LinkDevicesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly bridgeId: string;
  /** Transport of its devices, for people, independent of the bridge's address: `hue AABBCC`. */
  readonly transport: string;
  readonly open: OpenBridge;
  readonly identities: KeptIdentities;
  readonly addresses: DeviceAddresses;
  /** Called when a connection is open; the driver then asks the cloud again which hub owns the devices. */
  readonly opened: () => void;
  /** Called when a connection has ended or could not be opened. */
  readonly failed?: (() => void) | undefined;
}

/** Delay after a failure that only a person can resolve, ms. */
const LASTING_MS = 60_000;
/** Timeout of an answer, ms. */
const ANSWER_MS = 10_000;
/** Maximum messages of the stream kept while everything is read. */
const MOST_WAITING = 1000;
/** Steps of work to create or update a device. */
const STEPS_OF_TELLING = 10;
/** Devices that one step of work checks for an update. */
const DEVICES_OF_STEP = 30;
/** Minimum interval between attempts at a new address, ms. */
const POKE_SPACING_MS = 5000;

export class BridgeLink implements AsyncDisposable {
  readonly #deps: BridgeLinkDeps;
  readonly #ending = new AbortController();
  readonly #counters = {
    ...{ badEvent: 0, badResource: 0, tooManyResources: 0 },
    ...{ wrongType: 0, lostEvents: 0 },
  };
  readonly #resources: ResourceSet;
  readonly #turns = new LoopTurns();
  readonly #requests: PacedRequests;
  readonly #devices: LinkDevices<BridgedDevice>;
  #seen: ReadonlyMap<string, BridgedDevice> = new Map();
  #connection: BridgeConnection | undefined;
  /** Everything has been read on this connection. */
  #isUp = false;
  /** Status of the last answer when it was 429 or 503. */
  #busy: number | undefined;
  #beganAt = 0;
  readonly #retries: Retries<Error>;
  readonly #ended: Promise<void>;

  constructor(deps: BridgeLinkDeps) {
    this.#deps = deps;
    const { clock, log, bridgeId } = deps;
    this.#requests = new PacedRequests(clock, this.#ending.signal);
    this.#resources = new ResourceSet((why) => {
      this.#counters[why] += 1;
    });
    this.#devices = new LinkDevices(deps);
    this.#retries = new Retries({
      ...deps,
      goesOn: () => true,
      once: (signal, stands) => this.#connect(signal, stands),
      waitMs: (why) => (why instanceof KeyRefused || why instanceof SoftwareTooOld ? LASTING_MS : undefined),
      ended: (why, isNews) => {
        deps.failed?.();
        if (isNews) log.warn({ bridge: bridgeId, failure: why.message }, "the bridge is not reached");
      },
    });
    this.#ended = this.#retries.run(this.#ending.signal);
  }

  live(edgeId: string): BridgedDevice | undefined {
    return this.#devices.live(edgeId);
  }

  yield(edgeIds: readonly string[]): void {
    this.#devices.yield(edgeIds);
  }

  found(): readonly FoundDevice[] {
    return this.#devices.found();
  }

  /** The admissions have changed. */
  admissionChanged(): void {
    this.#turns.run(this.#devices.seeInTurns(this.#seen));
  }

  /** Whether the devices behind the bridge are available. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** Why the devices are unavailable, or why the bridge accepts no requests; undefined while unknown, and without a failure. */
  get failure(): Error | undefined {
    if (this.#isUp) return this.#busy === undefined ? undefined : new BridgeBusy(this.#busy);
    return this.#retries.reason;
  }

  /** Tries again soon, because the bridge may have another address. */
  poke(): void {
    if (this.#deps.clock.monotonic() - this.#beganAt >= POKE_SPACING_MS) this.#retries.poke();
  }

  status() {
    const left = [...this.#seen.values()].flatMap(({ described }) => Object.entries(described.leftAside));
    const leftAside: Record<string, number> = {};
    for (const [type, count] of left) leftAside[type] = (leftAside[type] ?? 0) + count;
    return {
      ...{ bridge: this.#deps.bridgeId, line: this.#deps.transport },
      connection: this.#isUp ? "connected" : "connecting",
      failure: this.#retries.reason?.message,
      ...this.#devices.status(),
      leftAside,
      ignored: Object.fromEntries(Object.entries(this.#counters).filter(([, count]) => count > 0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#ended;
  }

  /** Serves one connection from start to end; returns the reason of its end. */
  async #connect(signal: AbortSignal, stands: () => void): Promise<Error> {
    this.#beganAt = this.#deps.clock.monotonic();
    const waiting: unknown[] = [];
    const take = (message: unknown) => {
      if (this.#isUp) this.#turns.run(this.#take(message));
      else if (waiting.length < MOST_WAITING) waiting.push(message);
    };
    try {
      await using connection = await this.#deps.open(take, signal);
      this.#connection = connection;
      this.#deps.opened();
      await this.#readAll(connection);
      while (waiting.length > 0) await doneInTurns(this.#resources.take(waiting.shift()));
      await doneInTurns(this.#describe());
      this.#isUp = true;
      stands();
      this.#turns.run(this.#devices.upInTurns());
      // Messages that arrived while the devices were described.
      for (const message of waiting) this.#turns.run(this.#take(message));
      const ask = () => this.#send(connection, "GET", "/bridge");
      const why = await endOf(connection, { clock: this.#deps.clock, ask }, signal);
      // Takes the devices down at once, before the connection is closed at this end too.
      this.#lose();
      return new Error(why);
    } catch (failure) {
      return failure instanceof Error ? failure : new Error(String(failure));
    } finally {
      this.#lose();
    }
  }

  #lose(): void {
    this.#connection = undefined;
    this.#isUp = false;
    this.#turns.clear();
    this.#devices.down();
    for (const device of this.#seen.values()) device.forget();
  }

  /** @throws Error when there is no answer in time: the request may have been carried out */
  async #send(connection: BridgeConnection, method: "GET" | "PUT", path: string, body?: object): Promise<ApiAnswer> {
    const done = new LinkedAbort(this.#ending.signal);
    const late = sleep(this.#deps.clock, "answer of a bridge", ANSWER_MS, done.signal).then(() => {
      throw new Error("it has not answered in time");
    });
    const answered = await Promise.race([connection.request(method, path, body), late]).finally(() => {
      done.abort();
      done.end();
    });
    this.#busy = isBusy(answered.status) ? answered.status : undefined;
    return answered;
  }

  /** @throws KeyRefused, BridgeBusy, Error */
  async #readAll(connection: BridgeConnection): Promise<void> {
    const { status, json } = await this.#requests.run(undefined, () => this.#send(connection, "GET", ""));
    if (status === 403) throw new KeyRefused();
    if (isBusy(status)) throw new BridgeBusy(status);
    const parsed = answer.safeParse(json);
    if (status !== 200 || !parsed.success) throw new Error(`it does not say what it has (status ${status})`);
    await doneInTurns(this.#resources.replace(parsed.data.data));
  }

  *#take(message: unknown): Work {
    const changes: ResourceChanges = yield* this.#resources.take(message);
    for (const update of changes.updates) {
      for (const device of this.#seen.values()) device.take(update);
      yield (1 + this.#seen.size) / DEVICES_OF_STEP;
    }
    if (changes.isOther) yield* this.#describe();
    else if (changes.updates.some(({ type }) => type === "zigbee_connectivity"))
      for (const edgeId of this.#seen.keys()) this.#devices.consider(edgeId);
  }

  *#describe(): Work {
    const { bridgeId, identities, addresses } = this.#deps;
    const seen = new Map<string, BridgedDevice>();
    for (const device of yield* describeDevices(this.#resources, bridgeId, { identities, addresses })) {
      const known = this.#seen.get(device.edgeId);
      known?.describe(device);
      seen.set(device.edgeId, known ?? new BridgedDevice(device, this.#deviceDeps()));
      yield STEPS_OF_TELLING;
    }
    this.#seen = seen;
    yield* this.#devices.seeInTurns(seen);
    for (const device of seen.values()) {
      device.tellAll();
      this.#keepIdentity(device);
      yield STEPS_OF_TELLING;
    }
  }

  #deviceDeps() {
    const { clock, host, transport } = this.#deps;
    return {
      ...{ clock, transport, counters: this.#counters, resources: this.#resources },
      host: host satisfies Pick<DriverHost, "pushed" | "learned">,
      request: (method: "GET" | "PUT", of: Reference, body: object | undefined, attempt: Attempt, key?: string) =>
        this.#request(method, of, body, attempt, key),
    };
  }

  /** @throws Superseded, NotTouched, Error */
  async #request(
    method: "GET" | "PUT",
    { rid, rtype }: Reference,
    body: object | undefined,
    attempt: Attempt,
    key: string | undefined,
  ): Promise<ApiAnswer> {
    for (;;) {
      const answered = await this.#requests.run(key, () =>
        attempt.touch(() => {
          const connection = this.#connection;
          if (!connection) throw new Error("The hub is not connected to the bridge.");
          return this.#send(connection, method, `/${rtype}/${rid}`, body);
        }),
      );
      if (!isBusy(answered.status) || this.#deps.clock.monotonic() >= attempt.deadline) return answered;
    }
  }

  #keepIdentity({ described: { identity, edgeId } }: BridgedDevice): void {
    if (identity === undefined) return;
    this.#deps.identities.keep(identity, edgeId).catch((failure: unknown) => {
      this.#deps.log.error({ device: edgeId, failure: String(failure) }, "what a device is called could not be kept");
    });
  }
}

/** Interval of a small test request, ms, because a bridge that has lost power closes no connection. */
const WATCH_MS = 30_000;

interface Watch {
  readonly clock: Clock;
  /** @throws Error when the bridge does not answer in time */
  readonly ask: () => Promise<unknown>;
}

/** Resolves with the reason why the connection is no longer usable, at the latest when the signal is aborted. */
async function endOf(connection: BridgeConnection, watch: Watch, signal: AbortSignal): Promise<string> {
  const end = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve("the driver stops"), { signal: end.signal });
  });
  return await Promise.race([connection.closed, stopped, silence(watch, end.signal)]).finally(() => end.abort());
}

/** Resolves with the reason when the bridge stops answering, and when the signal is aborted. */
async function silence({ clock, ask }: Watch, signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    await sleep(clock, "bridge to be asked whether it is there", WATCH_MS, signal).catch(() => undefined);
    if (signal.aborted) break;
    const why = await ask().then(() => undefined, inWords);
    if (why !== undefined) return why;
  }
  return "the connection has ended";
}

function inWords(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
