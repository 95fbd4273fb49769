/**
 * The connection to the server: keeps it open, reads the state again after each loss, and offers the devices to the hub.
 *
 * Invariants: devices are present only while the connection is open and its state has been read; events are handled in order, none before
 * the state to which they belong.
 */
import {
  type DeviceAddresses,
  doneAtOnce,
  type FoundDevice,
  type KeptIdentities,
  LinkDevices,
  type LinkDevicesDeps,
  type Patience,
  type Work,
} from "@porchlight/driver-kit";
import {
  Backoff,
  type BackoffPolicy,
  type Clock,
  every,
  type Log,
  type Random,
  sleep,
  type Timer,
} from "@porchlight/shared/kernel";
import type { HeardUntil } from "./heard-until.ts";
import { NetworkNodes } from "./network-nodes.ts";
import {
  CONTROLLER_UNRESPONSIVE,
  networkState,
  nodeEvent,
  nodeState,
  openNetwork,
  startListening,
} from "./open-network.ts";
import type { ServerEvent } from "./server/messages.ts";
import { NoAnswer, type ServerChannel, type ServerCommandOptions } from "./server/server-channel.ts";
import type { OpenServer } from "./server/ws-socket.ts";
import { isForPeople, linkTroubles, NoNetwork, networkFailure } from "./troubles.ts";
import type { ZwaveDevice } from "./zwave-device.ts";

export interface ZwaveLinkDeps extends LinkDevicesDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Transport of its devices, for people: `zwave 10.0.0.9:3000`. */
  readonly transport: string;
  readonly open: OpenServer;
  readonly identities: KeptIdentities;
  readonly addresses: DeviceAddresses;
  readonly heard: HeardUntil;
  /** Called when a connection is open; the driver then asks the cloud again which hub owns the devices. */
  readonly opened: () => void;
}

const BACKOFF: BackoffPolicy = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };
/** Delay between attempts after a failure that only a person can resolve, ms. */
const LASTING_MS = 60_000;
/** Interval of checking sleeping devices for missed wakes, ms. */
const WAKES_MS = 60_000;
/** Delay that gathers changes of nodes' descriptions, ms; an interview causes many. */
const GATHER_MS = 500;

export class ZwaveLink implements AsyncDisposable {
  readonly #deps: ZwaveLinkDeps;
  readonly #ending = new AbortController();
  readonly #counters = {
    ...{ notJson: 0, notUnderstood: 0, unasked: 0, badEvent: 0, badNode: 0, badValue: 0 },
    ...{ wrongType: 0, lostEvents: 0, superseded: 0 },
  };
  readonly #nodes: NetworkNodes;
  readonly #devices: LinkDevices<ZwaveDevice>;
  readonly #changed = new Set<ZwaveDevice>();
  #gathering: Timer | undefined;
  #channel: ServerChannel | undefined;
  #lost: PromiseWithResolvers<Error> = Promise.withResolvers();
  #isUp = false;
  /** Time up to which the network's events were received before this connection, wall-clock ms. */
  #since: number | undefined;
  #controllerStatus: number | undefined;
  #failure: NoNetwork | undefined;
  readonly #ended: Promise<void>;

  constructor(deps: ZwaveLinkDeps) {
    this.#deps = deps;
    const { clock, log, identities, addresses, host, transport } = deps;
    const reads = new PacedReads(clock);
    const device = {
      ...{ clock, host, transport, counters: this.#counters, isUp: () => this.#isControllerThere },
      ask: (command: string, args: object, patience: Patience, touch?: ServerCommandOptions["touch"]) =>
        this.#ask(command, args, patience, touch),
      describe: (each: ZwaveDevice) => this.#describe(each),
      firstReads: (each: ZwaveDevice) => reads.begin(each, this.#since),
    };
    this.#nodes = new NetworkNodes({ clock, log, identities, addresses, counters: this.#counters, device });
    this.#devices = new LinkDevices(deps);
    this.#ended = this.#run();
  }

  live(edgeId: string): ZwaveDevice | undefined {
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
    doneAtOnce(this.#see());
  }

  /** Current troubles, each with what people can do. */
  troubles() {
    return linkTroubles(
      this.#isUp ? undefined : this.#failure,
      this.#isControllerThere,
      this.#isUp ? this.#nodes.all : [],
    );
  }

  status() {
    const { serverVersion, driverVersion } = (this.#isUp ? this.#channel?.greeting : undefined) ?? {};
    return {
      connection: this.#isUp ? "connected" : "connecting",
      ...{ failure: this.#isUp ? undefined : this.#failure?.message, serverVersion, driverVersion },
      ...{ nodes: this.#nodes.all.length, ...this.#devices.status() },
      leftAside: this.#nodes.leftAside,
      troubles: this.troubles(),
      ignored: Object.fromEntries(Object.entries(this.#counters).filter(([, count]) => count > 0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#ended;
  }

  get #isControllerThere(): boolean {
    return this.#controllerStatus !== CONTROLLER_UNRESPONSIVE;
  }

  /** Opens one connection after another until the driver stops. */
  async #run(): Promise<void> {
    const { clock, random, log, transport } = this.#deps;
    const { signal } = this.#ending;
    const waits = new Backoff(BACKOFF, random);
    while (!signal.aborted) {
      const beganAt = clock.monotonic();
      const failure = networkFailure(await this.#connect(signal));
      if (signal.aborted) return;
      if (this.#failure?.message !== failure.message)
        log.warn({ server: transport, failure: failure.message }, "the Z-Wave network is not reached");
      this.#failure = failure;
      const stood = clock.monotonic() - beganAt;
      const ms = isForPeople(failure) ? LASTING_MS : waits.next(stood);
      await sleep(clock, "Z-Wave server to be tried again", ms, signal).catch(() => undefined);
    }
  }

  /** Serves one connection from start to end; returns the reason of its end. */
  async #connect(signal: AbortSignal): Promise<unknown> {
    const { clock, open } = this.#deps;
    const lost = Promise.withResolvers<Error>();
    this.#lost = lost;
    const stop = () => lost.resolve(new Error("the driver stops"));
    signal.addEventListener("abort", stop);
    const closed = (why: Error) => {
      this.#lose();
      lost.resolve(why);
    };
    const heard = (event: ServerEvent) => this.#take(event);
    const watch = every(clock, "devices that sleep", WAKES_MS, () => this.#consider(this.#nodes.all));
    try {
      const channel = await openNetwork({ clock, counters: this.#counters, heard, closed }, open, signal);
      this.#channel = channel;
      await startListening(clock, channel, (result) => this.#begin(channel, result), signal);
      return await lost.promise;
    } catch (failure) {
      return failure;
    } finally {
      watch.cancel();
      signal.removeEventListener("abort", stop);
      this.#channel?.close();
      this.#lose();
      await this.#deps.heard.end();
    }
  }

  *#begin(channel: ServerChannel, result: unknown): Work {
    const state = yield* networkState(result);
    if (!state) throw new NoNetwork("no_zwave_server", "The Z-Wave server does not say what it has.");
    const homeId = state.homeId ?? channel.greeting.homeId;
    if (!homeId) throw new NoNetwork("no_controller", "The Z-Wave server has no Z-Wave stick.");
    this.#counters.badNode += state.leftAside;
    this.#controllerStatus = state.controllerStatus;
    yield* this.#nodes.replaceAll(homeId, state.nodes);
    this.#since = this.#deps.heard.until;
    this.#deps.heard.begin();
    this.#deps.opened();
    yield* this.#see();
    this.#isUp = true;
    this.#failure = undefined;
    yield* this.#devices.upInTurns();
  }

  #lose(): void {
    this.#channel = undefined;
    this.#isUp = false;
    this.#gathering?.cancel();
    this.#gathering = undefined;
    this.#changed.clear();
    this.#devices.down();
  }

  *#take(event: ServerEvent): Work {
    if (!this.#isUp) return;
    if (event.source === "node") yield* this.#takeNode(event);
    else if (event.source === "controller") yield* this.#takeController(event);
    // The stick was reset or replaced, so everything is read again.
    else if (event.source === "driver" && event.event === "driver ready") this.#again("the Z-Wave stick was reset");
    else if (event.source !== "driver" && event.source !== "zniffer") this.#counters.badEvent += 1;
  }

  *#takeNode(json: ServerEvent): Work {
    const event = nodeEvent(json);
    if (!event) {
      this.#counters.badEvent += 1;
      return;
    }
    const { change, device } = this.#nodes.take(event);
    if (change === "nodes") {
      yield* this.#see();
      device?.renewed();
    }
    if (change === "standing" && device) this.#consider([device]);
    if (change === "description" && device) this.#gather(device);
  }

  *#takeController({ event, node, status, reason }: ServerEvent): Work {
    if (event === "status changed" && typeof status === "number") {
      this.#controllerStatus = status;
      this.#consider(this.#nodes.all);
    }
    if (event !== "node added" && event !== "node removed") return;
    const state = nodeState(node);
    if (!state) this.#counters.badNode += 1;
    else if (event === "node removed") this.#nodes.remove(state.nodeId, reason);
    else this.#nodes.put(state);
    if (state) yield* this.#see();
  }

  #again(why: string): void {
    this.#channel?.close();
    this.#lose();
    this.#lost.resolve(new Error(why));
  }

  #gather(device: ZwaveDevice): void {
    this.#changed.add(device);
    this.#gathering ??= this.#deps.clock.timer("Z-Wave nodes to be described anew", GATHER_MS, () => {
      this.#gathering = undefined;
      for (const each of [...this.#changed]) this.#describe(each);
      doneAtOnce(this.#see());
    });
  }

  #describe(device: ZwaveDevice): void {
    this.#changed.delete(device);
    device.node.describe();
    device.describe();
    this.#consider([device]);
    device.described();
  }

  *#see(): Work {
    const seen = this.#nodes.described;
    yield* this.#devices.seeInTurns(seen);
    for (const device of seen.values()) this.#nodes.keepIdentity(device);
    yield seen.size;
  }

  #consider(devices: readonly ZwaveDevice[]): void {
    for (const { edgeId } of devices) this.#devices.consider(edgeId);
  }

  /** @throws NoAnswer, what the channel throws */
  async #ask(
    command: string,
    args: object,
    patience: Patience,
    touch?: ServerCommandOptions["touch"],
  ): Promise<unknown> {
    const channel = this.#channel;
    if (!channel) throw new NoAnswer("The hub is not connected to the Z-Wave server.");
    return channel.ask(command, args, patience, { touch });
  }
}

/** Interval of requests to all devices together, ms, which a slow radio network can bear; a node takes 20 to 100 ms to answer. */
const SPACING_MS = 200;

class PacedReads {
  readonly #clock: Clock;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Reads the device in the background, or the values that a sleeping device sent meanwhile. A device that does not answer delays no
   * other.
   * @param since when the hub last received events of the network, wall-clock ms; undefined: never
   */
  begin(device: ZwaveDevice, since: number | undefined): void {
    void device.readAll((signal) => this.#turn(signal));
    if (since !== undefined) void device.recallNews(since);
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + SPACING_MS;
    if (at > now) await sleep(this.#clock, "device to be read", at - now, signal).catch(() => undefined);
  }
}
