/**
 * Sleeping devices: each opens a channel to the hub when it wakes, reports its status and leaves again.
 *
 * Invariants: a device is live from its first reading until it has missed two wakes; the driver sends no request to a sleeping device; a
 * channel counts only for a device that the hub may have and that no line has.
 */
import {
  type Admission,
  type Candidate,
  type DeviceAddresses,
  describedServices,
  edgeIdOfEui,
  type KnownDevice,
  type OfferDeps,
  OfferedDevice,
  serviceNames,
} from "@porchlight/driver-kit";
import { aborted, type Random, sleep, type Timer } from "@porchlight/shared/kernel";
import { placedShelly } from "./description/place.ts";
import { DeviceSession, type SessionCounters } from "./device-session.ts";
import { type ShellyCounters, ShellyDevice } from "./shelly-device.ts";
import { Trouble, troubleOf } from "./trouble.ts";
import type { ListenForDevices, OpenCalled } from "./web-socket.ts";

export interface SleepersDeps extends OfferDeps {
  readonly random: Random;
  readonly src: string;
  readonly counters: SessionCounters & ShellyCounters;
  readonly admission: (candidate: Candidate) => Admission;
  /** Undefined when the hub does not listen. */
  readonly listen: ListenForDevices | undefined;
  /** Assigns the stored addresses to a device's properties. */
  readonly place: DeviceAddresses["place"];
  /** Whether a line already has the device. */
  readonly isReached: (edgeId: string) => boolean;
}

/** Delay before the driver tries again to listen, ms. */
const LISTEN_AGAIN_MS = 60_000;
/** Wakes that a device may miss, and its tolerated delay, ms. */
const MISSED_WAKES = 2;
const LATE_MS = 60_000;
/** Maximum listed devices that connected and were rejected. */
const MOST_TURNED_AWAY = 100;

interface Sleeper {
  readonly offered: OfferedDevice<ShellyDevice>;
  /** From the device's current configuration. */
  wakeupMs: number;
  gone: Timer | undefined;
}

export class Sleepers implements AsyncDisposable {
  readonly #deps: SleepersDeps;
  readonly #signal: AbortSignal;
  readonly #sleepers = new Map<string, Sleeper>();
  readonly #turnedAway = new Map<string, { readonly known: KnownDevice; readonly trouble: Trouble }>();
  readonly #sessions = new Set<DeviceSession>();
  readonly #listening: Promise<void>;
  #failure: string | undefined;

  constructor(deps: SleepersDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#listening = deps.listen ? this.#listen(deps.listen) : Promise.resolve();
  }

  /** Whether the hub accepts connections of sleeping devices. */
  get isListening(): boolean {
    return this.#deps.listen !== undefined;
  }

  device(edgeId: string): ShellyDevice | undefined {
    return this.#sleepers.get(edgeId)?.offered.device;
  }

  get devices(): readonly ShellyDevice[] {
    return [...this.#sleepers.values()].map(({ offered }) => offered.device);
  }

  /** Devices that connected and wait for a person to admit them. */
  get turnedAway() {
    return [...this.#turnedAway.values()];
  }

  /** Why the hub cannot listen, in a sentence. */
  get problem(): string | undefined {
    return this.#failure && `The hub cannot listen for devices that sleep (${this.#failure}).`;
  }

  /** The admissions have changed: removes devices that are no longer admitted. */
  reconsider(): void {
    for (const { edgeId, announced } of this.devices)
      if (this.#standing(edgeId, announced.description) !== "admitted") this.#forget(edgeId);
  }

  yield(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) this.#sleepers.get(edgeId)?.offered.yield();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session[Symbol.dispose]();
    for (const edgeId of [...this.#sleepers.keys()]) this.#forget(edgeId);
    await this.#listening;
  }

  async #listen(listen: ListenForDevices): Promise<void> {
    const { clock, log } = this.#deps;
    while (!this.#signal.aborted) {
      try {
        await using _server = await listen((open) => void this.#take(open));
        this.#failure = undefined;
        await aborted(this.#signal);
      } catch (failure) {
        this.#failure = failure instanceof Error ? failure.message : String(failure);
        log.warn({ failure: this.#failure }, "the hub cannot listen for devices that sleep");
        await sleep(clock, "devices that sleep to be listened for", LISTEN_AGAIN_MS, this.#signal).catch(
          () => undefined,
        );
      }
    }
  }

  /** Serves one channel that a device has opened, from start to end. Never rejects. */
  async #take(open: OpenCalled): Promise<void> {
    const { log } = this.#deps;
    let id: string | undefined;
    try {
      using session = await this.#start(open);
      this.#sessions.add(session);
      try {
        id = await session.named();
        await this.#serve(session, id);
      } finally {
        this.#sessions.delete(session);
      }
    } catch (failure) {
      const { kind, message } = troubleOf(failure);
      log.debug({ shelly: id, why: kind, failure: message }, "a Shelly that called is not had");
    }
  }

  #start(open: OpenCalled): Promise<DeviceSession> {
    const { clock, random, src, counters } = this.#deps;
    return DeviceSession.start({ clock, random, src, counters, redescribed: () => undefined }, async (events) =>
      open(events),
    );
  }

  async #serve(session: DeviceSession, id: string): Promise<void> {
    const known = this.#sleepers.get(edgeIdOf(id) ?? "");
    // The first notices count, even if the device falls asleep before it can be read.
    if (known) {
      this.#awake(known);
      session.follow(known.offered.device);
    }
    const sleeper = await this.#described(session).catch((failure: unknown) => {
      if (known) return known;
      throw failure;
    });
    await session.closed;
    session[Symbol.dispose]();
    this.#asleep(sleeper);
  }

  /** Reads the whole device and describes it. @throws Trouble, RpcRefused, Unanswered */
  async #described(session: DeviceSession): Promise<Sleeper> {
    const info = await session.introduce();
    const described = await session.describe();
    const { edgeId, about, properties, wakeupMs } = described;
    if (this.#deps.isReached(edgeId) || wakeupMs === undefined)
      throw new Trouble("reached_otherwise", "It does not sleep: the hub connects to its address.");
    const services = describedServices(properties);
    const known: KnownDevice = { edgeId, about, services: serviceNames(services) };
    this.#admit(known, services);
    const description = placedShelly(described, this.#deps.place);
    const before = this.#sleepers.get(edgeId);
    if (before) {
      session.follow(before.offered.device);
      before.wakeupMs = wakeupMs;
      const announced = JSON.stringify(before.offered.device.announced.description);
      before.offered.device.describe(description);
      if (JSON.stringify(before.offered.device.announced.description) !== announced) before.offered.redescribed();
      return before;
    }
    const device = new ShellyDevice(description, `shelly ${info.id}`, this.#deps);
    session.follow(device);
    const sleeper: Sleeper = { offered: new OfferedDevice(device, this.#deps), wakeupMs, gone: undefined };
    this.#sleepers.set(edgeId, sleeper);
    return sleeper;
  }

  /** @throws Trouble when the device is not admitted */
  #admit(known: KnownDevice, services: Candidate["services"]): void {
    const { edgeId } = known;
    const standing = this.#standing(edgeId, services);
    this.#turnedAway.delete(edgeId);
    if (standing === "admitted") return;
    const kind = standing === "awaiting" ? "awaits_admission" : "not_admitted";
    const trouble = new Trouble(kind, "It is not admitted.");
    if (this.#turnedAway.size < MOST_TURNED_AWAY) this.#turnedAway.set(edgeId, { known, trouble });
    this.#forget(edgeId);
    throw trouble;
  }

  #standing(edgeId: string, services: Candidate["services"]): Admission {
    return this.#deps.admission({ edgeId, services, isSensitive: false });
  }

  #awake(sleeper: Sleeper): void {
    sleeper.gone?.cancel();
    sleeper.gone = undefined;
  }

  /** Removes the device unless it wakes again in time. */
  #asleep(sleeper: Sleeper): void {
    const { edgeId } = sleeper.offered.device;
    if (this.#sleepers.get(edgeId) !== sleeper || sleeper.offered.device.isAwake) return;
    this.#awake(sleeper);
    const ms = MISSED_WAKES * sleeper.wakeupMs + LATE_MS;
    sleeper.gone = this.#deps.clock.timer("device that sleeps", ms, () => this.#forget(edgeId));
  }

  #forget(edgeId: string): void {
    const sleeper = this.#sleepers.get(edgeId);
    if (!sleeper) return;
    this.#sleepers.delete(edgeId);
    this.#awake(sleeper);
    sleeper.offered[Symbol.dispose]();
  }
}

/** A device's ID ends with its MAC address. */
function edgeIdOf(id: string): string | undefined {
  return edgeIdOfEui(/-([0-9a-f]{12})$/i.exec(id)?.[1] ?? "");
}
