/**
 * One place where a device is, or may be: reached again and again, until it is a device that the hub may have.
 *
 * Invariants: at most one connection at a time; a device is live only while its channel lives; what only a person can change is tried
 * seldom, everything else with waits that grow.
 */
import { type BackoffPolicy, deadline, type Log, type Random } from "@porchlight/shared/kernel";
import type { DeviceAbout, DeviceDescription } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import {
  type Admission,
  describedServices,
  edgeIdOfEui,
  type OfferDeps,
  OfferedDevice,
  Retries,
  serviceNames,
} from "../kit/index.ts";
import type { DeviceInfo } from "./description/device-info.ts";
import { type ShellyCounters, ShellyDevice } from "./device/shelly-device.ts";
import { DeviceSession, type SessionCounters } from "./device-session.ts";
import type { ShellyEndpoint, ShellyNetwork } from "./rpc/shelly-network.ts";
import { awaitsPeople, isLasting, isQuiet, shellyOf, Trouble, troubleOf } from "./trouble.ts";

/** Where a device is looked for. */
export interface ShellyPlace {
  /** For people, and for logs: the address that the settings name, or the name that is announced. */
  readonly name: string;
  /** Its address now; undefined when it is not announced any more: the line ends with its connection. */
  readonly endpoint: () => ShellyEndpoint | undefined;
  /** Somebody has named it in the settings: that admits it as `all` would. */
  readonly isListed: boolean;
  readonly password?: Secret | undefined;
}

export interface LineDeps extends OfferDeps {
  readonly random: Random;
  readonly log: Log;
  readonly network: ShellyNetwork;
  readonly src: string;
  readonly counters: SessionCounters & ShellyCounters;
  readonly backoff?: BackoffPolicy | undefined;
  readonly admission: (edgeId: string, services: DeviceDescription, isListed: boolean) => Admission;
  readonly passwordOf: (edgeId: string) => Secret | undefined;
  /** A device that sleeps is not kept connected. @throws Trouble, always */
  readonly sleeps: () => never;
  /** Makes a device this line's own; false when another line has it. */
  readonly claim: (edgeId: string, line: ShellyLine) => boolean;
  readonly release: (edgeId: string, line: ShellyLine) => void;
}

/** How often it is tried what only a person can change, ms. */
const LASTING_MS = 300_000;
/** How long an introduction or the opening of a channel may take, ms. */
const OPENING_MS = 10_000;

/** What is known of the device of a line. */
export interface KnownDevice {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** As far as it has been described. */
  readonly services: readonly string[];
}

export class ShellyLine {
  readonly place: ShellyPlace;
  readonly #deps: LineDeps;
  readonly #retries: Retries<Trouble>;
  #known: KnownDevice | undefined;
  #offered: OfferedDevice<ShellyDevice> | undefined;
  /** Ends the connection. */
  #leave: (() => void) | undefined;
  /** Settles when it has ended: with the signal, or with its place. Never rejects. */
  readonly ended: Promise<void>;

  constructor(place: ShellyPlace, deps: LineDeps, signal: AbortSignal) {
    this.place = place;
    this.#deps = deps;
    this.#retries = new Retries({
      ...deps,
      goesOn: () => place.endpoint() !== undefined,
      once: (until, stands) => this.#once(until, stands),
      waitMs: (trouble) => (isLasting(trouble) ? LASTING_MS : undefined),
      told: (trouble, isNews) => this.#log(trouble, isNews),
    });
    this.ended = this.#retries.run(signal);
  }

  get known(): KnownDevice | undefined {
    return this.#known;
  }

  /** Why its device is not had; undefined while it is, and at first. */
  get trouble(): Trouble | undefined {
    return this.#retries.reason;
  }

  get device(): ShellyDevice | undefined {
    return this.#offered?.device;
  }

  /** What people admit has changed: a device that waits for that is looked at, one that may not be had any more leaves. */
  reconsider(): void {
    const { device, trouble } = this;
    if (trouble && awaitsPeople(trouble)) this.poke();
    if (device && this.#standing(device.edgeId, device.announced.description) !== "admitted") this.#leave?.();
  }

  /** Looks again at once, where it waits to. */
  poke(): void {
    this.#retries.poke();
  }

  /** How the next try ends. @throws the signal's reason */
  outcome(signal: AbortSignal): Promise<Trouble | "connected"> {
    return this.#retries.outcome(signal);
  }

  yield(edgeIds: readonly string[]): void {
    if (this.#offered && edgeIds.includes(this.#offered.device.edgeId)) this.#offered.yield();
  }

  #log(trouble: Trouble, isNews: boolean): void {
    const fields = { shelly: this.place.name, why: trouble.kind, failure: trouble.message };
    if (isNews && !isQuiet(trouble)) this.#deps.log.warn(fields, "a Shelly device cannot be used");
  }

  /** One connection from its start to its end; gives why there is none any more. Never rejects. */
  async #once(signal: AbortSignal, stands: () => void): Promise<Trouble> {
    const endpoint = this.place.endpoint();
    if (!endpoint) return new Trouble("not_reached", "It is not announced any more.");
    const claimed: string[] = [];
    try {
      const info = await this.#introduced(endpoint, signal);
      const { edgeId } = this.#note(info);
      if (!this.#deps.claim(edgeId, this))
        throw new Trouble("reached_otherwise", "The hub already reaches it at another address.");
      claimed.push(edgeId);
      this.#admit(edgeId, []);
      const password = this.place.password ?? this.#deps.passwordOf(edgeId);
      if (info.auth_en && !password) throw new Trouble("needs_password", "It needs its password.");
      return await this.#connected(endpoint, info, password, signal, stands);
    } catch (failure) {
      return troubleOf(failure);
    } finally {
      for (const edgeId of claimed) this.#deps.release(edgeId, this);
    }
  }

  async #introduced(endpoint: ShellyEndpoint, signal: AbortSignal): Promise<DeviceInfo> {
    return shellyOf(await this.#timely(signal, (until) => this.#deps.network.introduce(endpoint, until)));
  }

  async #connected(
    endpoint: ShellyEndpoint,
    info: DeviceInfo,
    password: Secret | undefined,
    signal: AbortSignal,
    stands: () => void,
  ): Promise<Trouble> {
    const { clock, random, src, counters, network } = this.#deps;
    const opening = this.#timely(signal, (until) =>
      DeviceSession.start(
        {
          clock,
          random,
          src,
          info,
          password,
          counters,
          redescribed: (described) => this.#redescribed(described, session),
        },
        (events) => network.open(endpoint, events, until),
      ),
    );
    using session = await opening;
    const end = () => session[Symbol.dispose]();
    signal.addEventListener("abort", end, { once: true });
    try {
      const description = await session.describe();
      this.#known = {
        ...this.#note(info),
        about: description.about,
        services: serviceNames(describedServices(description.properties)),
      };
      this.#admit(description.edgeId, describedServices(description.properties));
      if (description.wakeupMs !== undefined) this.#deps.sleeps();
      const device = new ShellyDevice(description, transportOf(endpoint), this.#deps);
      session.follow(device);
      this.#offered = new OfferedDevice(device, this.#deps);
      this.#leave = end;
      stands();
      return troubleOf(await session.closed);
    } finally {
      signal.removeEventListener("abort", end);
      this.#offered?.[Symbol.dispose]();
      this.#offered = undefined;
      this.#leave = undefined;
    }
  }

  #redescribed(description: Parameters<ShellyDevice["describe"]>[0], session: DeviceSession): void {
    const offered = this.#offered;
    if (!offered) return;
    this.#known = {
      edgeId: description.edgeId,
      about: description.about,
      services: serviceNames(describedServices(description.properties)),
    };
    const services = describedServices(description.properties);
    if (this.#standing(description.edgeId, services) !== "admitted") {
      session[Symbol.dispose]();
      return;
    }
    offered.device.describe(description);
    offered.redescribed();
  }

  #standing(edgeId: string, services: DeviceDescription): Admission {
    return this.#deps.admission(edgeId, services, this.place.isListed);
  }

  /** @throws Trouble */
  #admit(edgeId: string, services: DeviceDescription): void {
    const standing = this.#standing(edgeId, services);
    if (standing === "notAdmitted") throw new Trouble("not_admitted", "It is not admitted.");
    if (standing === "awaiting") throw new Trouble("awaits_admission", "It must be admitted by its own edgeId.");
  }

  #note(info: DeviceInfo): KnownDevice {
    const edgeId = edgeIdOfEui(info.mac) ?? "";
    const about = { manufacturer: "Shelly", model: info.app ?? info.model, name: info.name ?? undefined };
    this.#known = this.#known?.edgeId === edgeId ? this.#known : { edgeId, about, services: [] };
    return this.#known;
  }

  /** @throws what the work throws; NotReached when it takes too long; the signal's reason */
  async #timely<T>(signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T> {
    const reason = () => new Trouble("not_reached", "It cannot be reached (it does not answer).");
    const until = deadline(this.#deps.clock, "device to answer", OPENING_MS, { signal, reason });
    try {
      return await work(until.signal);
    } finally {
      until.end();
    }
  }
}

/** `shelly 192.0.2.4`; with the port where it is not the usual one. */
function transportOf({ host, port }: ShellyEndpoint): string {
  return port === 80 ? `shelly ${host}` : `shelly ${host}:${port}`;
}
