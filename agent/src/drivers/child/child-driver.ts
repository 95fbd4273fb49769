/**
 * The hub's side of a driver that runs in a child: its devices, its host and its outcomes are managed here.
 *
 * Invariants: a child that ends, breaks the protocol or stops answering fails as a whole: its devices leave, and each open attempt is
 * settled by whether the child had permission to touch the device. No message of a child is used before a schema has accepted it.
 */
import type {
  Admissions,
  Admit,
  AskClaims,
  Attempt,
  DriverResult,
  DriverStore,
  FoundDevice,
  SetupKind,
  SetupTalk,
  SharedHost,
  StatedDriver,
} from "@porchlight/driver-kit";
import { type Clock, every, type Log, sleep, type Timer, TokenBucket } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { ChildAttempts } from "./attempts.ts";
import { ChildSetups } from "./child-setups.ts";
import { ChildLog, ChildState } from "./child-state.ts";
import { HostQuestions } from "./host-questions.ts";
import { chooseIpcVersion, IPC_VERSION, IPC_VERSION_OLDEST } from "./ipc-version.ts";
import type { ParentChannel } from "./line-channel.ts";
import { breachOf, type FromChild, fromChild, type ToChild } from "./messages.ts";
import { MOST_DEVICES, OfferedDevices } from "./offered-devices.ts";

export interface ChildDriverDeps {
  /** For logs and `status`. */
  readonly name: string;
  readonly channel: ParentChannel;
  /** The file with the driver's code, as the child sees it. */
  readonly entry: string;
  /** The driver's settings, as JSON. */
  readonly settings: unknown;
  readonly host: SharedHost;
  readonly store: DriverStore;
  /** Devices that the settings admit. Left out for a built-in driver, which checks by itself. */
  readonly admit?: Admit | undefined;
  readonly admissions?: Admissions | undefined;
  readonly askClaims: AskClaims;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a driver may take to start, ms. */
const START_MS = 30_000;
/** How long it may take to end, ms: less than its supervisor waits. */
const END_MS = 4500;
/** Messages that are accepted at once, and per second. */
const MESSAGE_RATE = { burst: 50_000, perSecond: 2000 };

export class ChildDriver implements StatedDriver {
  readonly name: string;
  readonly failed: Promise<unknown>;
  readonly unpaired = () => this.#state.unpaired;
  readonly #deps: ChildDriverDeps;
  readonly #attempts: ChildAttempts;
  readonly #devices: OfferedDevices;
  readonly #questions: HostQuestions;
  readonly #setups: ChildSetups;
  readonly #admissions: WatchedAdmissions;
  readonly #state = new ChildState();
  readonly #log: ChildLog;
  readonly #flood: TokenBucket;
  readonly #started = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<string>();
  #heartbeat: ChildHeartbeat | undefined;
  #isEnding = false;
  #end: string | undefined;

  private constructor(deps: ChildDriverDeps) {
    const { channel, clock, log, host, admit, admissions, name } = deps;
    this.name = name;
    this.#deps = deps;
    this.#flood = new TokenBucket(MESSAGE_RATE, clock.monotonic());
    this.#log = new ChildLog(name, log, clock);
    const send = (message: ToChild) => this.#send(message);
    this.#attempts = new ChildAttempts(send, () => clock.monotonic());
    this.#devices = new OfferedDevices({ clock, host, send, admit, admissions });
    this.#questions = new HostQuestions({
      ...deps,
      send,
      has: (edgeId) => this.#devices.has(edgeId),
      hasNode: (node) => this.#speaksFor(node),
    });
    this.#setups = new ChildSetups(send);
    this.#admissions = new WatchedAdmissions(send, admissions);
    this.failed = this.#closed.promise;
    this.#started.promise.catch(() => undefined);
    channel.listen({
      received: (message) => this.#guard(() => this.#received(message)),
      closed: (why) => this.#close(why),
      mayTouch: (attempt) => this.#attempts.mayTouch(attempt),
    });
  }

  /** Resolves once the driver runs. @throws Error with the reason for the failure; the channel is closed then */
  static async start(deps: ChildDriverDeps): Promise<ChildDriver> {
    const child = new ChildDriver(deps);
    const { clock } = deps;
    const late = clock.timer("start of a driver in a child", START_MS, () => child.#fail("it does not start"));
    child.#send({ type: "hello", oldest: IPC_VERSION_OLDEST, newest: IPC_VERSION });
    try {
      await child.#started.promise;
    } finally {
      late.cancel();
    }
    child.#heartbeat = new ChildHeartbeat({
      clock,
      ping: (n) => child.#send({ type: "ping", n }),
      silent: () => child.#fail("it stands still"),
    });
    return child;
  }

  has(edgeId: string): boolean {
    return this.#devices.has(edgeId);
  }

  async read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return await this.#attempts.ask(device, address, attempt);
  }

  async write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return await this.#attempts.ask(device, address, attempt, value);
  }

  yield(edgeIds: readonly string[]): void {
    // Built-in drivers release them by themselves.
    if (this.#deps.admit) this.#devices.yield(edgeIds);
    for (let from = 0; from < edgeIds.length; from += 1000)
      this.#send({ type: "yield", edgeIds: edgeIds.slice(from, from + 1000) });
  }

  found(): readonly FoundDevice[] {
    return [...this.#devices.found(), ...this.#state.found].slice(0, 100);
  }

  problem(): string | undefined {
    return this.#state.problem;
  }

  setups(): readonly SetupKind[] {
    return this.#end === undefined ? this.#state.setups : [];
  }

  async setup(kind: string, talk: SetupTalk): Promise<void> {
    await this.#setups.run(kind, talk);
  }

  status() {
    const { dropped } = this.#log;
    return { ...this.#state.status, ...(dropped > 0 ? { droppedLogLines: dropped } : {}) };
  }

  /** Asks the child to end, and closes the channel if it does not. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { clock, channel } = this.#deps;
    this.#isEnding = true;
    this.#send({ type: "end" });
    const patience = new AbortController();
    sleep(clock, "child to end", END_MS, patience.signal).then(
      () => channel.close("it does not end"),
      () => undefined,
    );
    await Promise.all([this.#closed.promise, channel.gone]);
    patience.abort();
  }

  #send(message: ToChild): void {
    if (this.#end === undefined) this.#deps.channel.send(message);
  }

  #received(given: unknown): void {
    if (this.#end !== undefined) return;
    if (!this.#flood.take(this.#deps.clock.monotonic())) {
      this.#fail("it sends too many messages");
      return;
    }
    const parsed = fromChild.safeParse(given);
    if (!parsed.success) {
      this.#fail(`it violates the protocol (${breachOf(parsed.error.issues, given)})`);
      return;
    }
    this.#heartbeat?.heard();
    this.#take(parsed.data);
  }

  #take(message: FromChild): void {
    const { host } = this.#deps;
    switch (message.type) {
      case "hello":
        this.#hello(message.version);
        break;
      case "started":
        this.#started.resolve();
        break;
      case "failed":
        this.#fail(message.why);
        break;
      case "pong":
        break;
      case "result":
        this.#attempts.answered(message.id, message.result);
        break;
      case "offered":
        if (!this.#devices.offer(message.offer, message.device)) this.#fail(`it has more than ${MOST_DEVICES} devices`);
        break;
      case "described":
        this.#devices.describe(message.device);
        break;
      case "left":
      case "withdrawn":
        this.#devices.remove(message.edgeId);
        break;
      case "opened":
        host.opened(message.transport);
        break;
      case "unread":
        if (this.has(message.device)) host.unread(message.device, message);
        break;
      case "forget_reports":
        if (this.#speaksFor(message.node)) host.forgetReports(message.node);
        break;
      case "reported":
      case "pushed":
      case "learned":
      case "store_get":
      case "store_all":
      case "store_set":
      case "claims":
        if (!this.#questions.take(message)) this.#fail("it makes too many requests at once");
        break;
      case "watch_admission":
        if (!this.#admissions.watch(message.edgeId)) this.#fail("it offers too many devices for admission");
        break;
      case "state":
        this.#state.take(message);
        break;
      case "log":
        this.#log.write(message.level, message.fields, message.text);
        break;
      case "setup_tell":
      case "setup_found":
      case "setup_ask":
      case "setup_ended":
        this.#setups.take(message);
        break;
      case "ended":
        this.#deps.channel.close(this.#isEnding ? "it has ended" : "it has ended by itself");
        break;
    }
  }

  #hello(version: number): void {
    if (chooseIpcVersion(version, version) === undefined) {
      this.#fail("it has a different version");
      return;
    }
    const { name, entry, settings } = this.#deps;
    this.#send({ type: "start", name, entry, settings });
  }

  /** Whether the child may report for a node. A built-in driver also names nodes that front devices; a package only its own devices. */
  #speaksFor(node: string): boolean {
    return this.#deps.admit === undefined || this.#devices.has(node);
  }

  #fail(why: string): void {
    this.#deps.channel.close(why);
    this.#close(why);
  }

  #guard(job: () => void): void {
    try {
      job();
    } catch (failure) {
      this.#deps.log.error({ driver: this.name, failure: String(failure) }, "a message could not be handled");
      this.#fail("the hub could not handle its message");
    }
  }

  #close(why: string): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    this.#heartbeat?.end();
    this.#attempts.end("The device's driver has ended.");
    this.#setups.end("The driver has ended.");
    this.#admissions.end();
    this.#devices.end();
    this.#started.reject(new Error(why));
    this.#closed.resolve(why);
  }
}

/** Maximum devices whose admission a child may watch. */
const MOST_WATCHED = 1000;

/** Reports to a child which of the devices it watches users have admitted, at once and at each change. */
class WatchedAdmissions {
  readonly #send: (message: ToChild) => void;
  readonly #admissions: Admissions | undefined;
  readonly #reported = new Map<string, boolean>();
  readonly #stop: (() => void) | undefined;

  constructor(send: (message: ToChild) => void, admissions: Admissions | undefined) {
    this.#send = send;
    this.#admissions = admissions;
    this.#stop = admissions?.listen(() => {
      for (const [edgeId, reported] of this.#reported) if (this.#isAdmitted(edgeId) !== reported) this.#tell(edgeId);
    });
  }

  /** Watches a device's admission and reports it to the child; false when the child watches too many. */
  watch(edgeId: string): boolean {
    if (!this.#reported.has(edgeId) && this.#reported.size >= MOST_WATCHED) return false;
    this.#tell(edgeId);
    return true;
  }

  end(): void {
    this.#stop?.();
  }

  #isAdmitted(edgeId: string): boolean {
    return this.#admissions?.isAdmitted(edgeId) ?? false;
  }

  #tell(edgeId: string): void {
    const admitted = this.#isAdmitted(edgeId);
    this.#reported.set(edgeId, admitted);
    this.#send({ type: "admission", edgeId, admitted });
  }
}

/** Interval of the pings, which detect a child in a busy loop. */
const HEARTBEAT_MS = 5000;
/** So many unanswered pings in a row mean that the child hangs. They are counted, because the agent itself may have been blocked. */
const MOST_MISSED = 3;

interface ChildHeartbeatDeps {
  readonly clock: Clock;
  readonly ping: (n: number) => void;
  readonly silent: () => void;
}

/** Pings a child to check that its event loop runs. */
class ChildHeartbeat {
  readonly #timer: Timer;
  #n = 0;
  #missed = 0;

  constructor({ clock, ping, silent }: ChildHeartbeatDeps) {
    const beat = () => {
      if (this.#missed >= MOST_MISSED) {
        silent();
        return;
      }
      this.#n += 1;
      this.#missed += 1;
      ping(this.#n);
    };
    beat();
    this.#timer = every(clock, "heartbeat of a child", HEARTBEAT_MS, beat);
  }

  /** The child has sent a message. */
  heard(): void {
    this.#missed = 0;
  }

  end(): void {
    this.#timer.cancel();
  }
}
