/**
 * One place where a device is, or may be: reached again and again, until it is a device that the hub may have.
 *
 * Invariants: at most one connection at a time; a device is live only while its channel lives; nothing is asked of a device that nobody has
 * admitted; a device with a key is never spoken to without it.
 */
import { type BackoffPolicy, type Clock, deadline, type Log, type Random } from "@porchlight/shared/kernel";
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
import { aboutEspHome } from "./description/describe.ts";
import type { EspHomeDescription } from "./description/esphome-property.ts";
import { type EspHomeCounters, EspHomeDevice } from "./device/esphome-device.ts";
import {
  type EspHomeCandidate,
  type EspHomeEndpoint,
  type EspHomePlace,
  type KnownEspHome,
  type OpenEspHome,
  transportOf,
} from "./esphome-place.ts";
import { EspHomeTrouble, espHomeTroubleOf, isForAdmission, isTold, waitOf } from "./trouble.ts";
import { EspHomeChannel, type WireCounters } from "./wire/esphome-channel.ts";
import { askIntroduction } from "./wire/introduction.ts";
import { WireProblem } from "./wire/problems.ts";

export interface EspHomeLineDeps extends OfferDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly open: OpenEspHome;
  readonly clientName: string;
  readonly counters: WireCounters & EspHomeCounters;
  readonly backoff?: BackoffPolicy | undefined;
  readonly admission: (candidate: EspHomeCandidate) => Admission;
  /** The key that people have given. @param of edgeId, or the name of a place of which it is not known */
  readonly keyOf: (of: string) => Secret | undefined;
  /** Describes it, with the indexes that its entities were given before. */
  readonly describe: (channel: EspHomeChannel) => EspHomeDescription;
  /** Makes a device this line's own; false when another line has it. */
  readonly claim: (edgeId: string, line: EspHomeLine) => boolean;
  readonly release: (edgeId: string, line: EspHomeLine) => void;
  /** The device that first answered at a listed address, from now on this one if there was none. */
  readonly firstAt: (place: string, edgeId: string) => string;
  /** The same; undefined when none has answered there yet. */
  readonly knownAt: (place: string) => string | undefined;
  /** Whether a device was asleep most of the time when it was last described. */
  readonly sleeps: (edgeId: string) => boolean;
}

/** How long opening a connection and setting it up may take, ms. */
const OPENING_MS = 10_000;
/** How long the first states are waited for before the device is told of without them, ms. */
const FIRST_STATES_MS = 2000;

export class EspHomeLine {
  readonly place: EspHomePlace;
  /** Settles when it has ended: with the signal, or with its place. Never rejects. */
  readonly ended: Promise<void>;
  readonly #deps: EspHomeLineDeps;
  readonly #retries: Retries<EspHomeTrouble>;
  #known: KnownEspHome | undefined;
  #offered: OfferedDevice<EspHomeDevice> | undefined;
  /** Ends the connection. */
  #leave: (() => void) | undefined;

  constructor(place: EspHomePlace, deps: EspHomeLineDeps, signal: AbortSignal) {
    this.place = place;
    this.#deps = deps;
    this.#retries = new Retries({
      ...deps,
      goesOn: () => place.endpoint() !== undefined,
      once: (until, stands) => this.#once(until, stands),
      waitMs: waitOf,
      told: (trouble, isNews) => this.#log(trouble, isNews),
    });
    this.ended = this.#retries.run(signal);
  }

  get known(): KnownEspHome | undefined {
    return this.#known;
  }

  /** Why its device is not had; undefined while it is, and at first. */
  get trouble(): EspHomeTrouble | undefined {
    return this.#retries.reason;
  }

  get device(): EspHomeDevice | undefined {
    return this.#offered?.device;
  }

  /** What a key of its device is kept under. */
  get keyName(): string {
    return this.#known?.edgeId ?? this.place.name;
  }

  /** What people admit has changed: a device that waits for that is looked at, one that may not be had any more leaves. */
  reconsider(): void {
    const { device, trouble } = this;
    if (trouble && (isForAdmission(trouble) || trouble.kind === "other_device")) this.poke();
    if (device && this.#standing(device.description) !== "admitted") this.#leave?.();
  }

  /** Looks again at once, where it waits to. */
  poke(): void {
    this.#retries.poke();
  }

  /** How the next try ends. @throws the signal's reason */
  outcome(signal: AbortSignal): Promise<EspHomeTrouble | "connected"> {
    return this.#retries.outcome(signal);
  }

  yield(edgeIds: readonly string[]): void {
    if (this.#offered && edgeIds.includes(this.#offered.device.edgeId)) this.#offered.yield();
  }

  #log(trouble: EspHomeTrouble, isNews: boolean): void {
    const fields = { esphome: this.place.name, why: trouble.kind, failure: trouble.message };
    if (isNews && isTold(trouble)) this.#deps.log.warn(fields, "an ESPHome device cannot be used");
  }

  /** One connection from its start to its end; gives why there is none any more. Never rejects. */
  async #once(signal: AbortSignal, stands: () => void): Promise<EspHomeTrouble> {
    const endpoint = this.place.endpoint();
    if (!endpoint) return new EspHomeTrouble("not_reached", "It is not announced any more.");
    const trouble = await this.#tried(endpoint, signal, stands);
    if (trouble.kind !== "needs_key" || this.#known) return trouble;
    await this.#introduce(endpoint, signal);
    // Now that it is known who it is, there may be a key for it.
    return this.#key() ? this.#tried(endpoint, signal, stands) : trouble;
  }

  /** Never rejects. */
  async #tried(endpoint: EspHomeEndpoint, signal: AbortSignal, stands: () => void): Promise<EspHomeTrouble> {
    try {
      this.#notePlace();
      return await this.#connected(endpoint, signal, stands);
    } catch (failure) {
      const trouble = espHomeTroubleOf(failure);
      const isAsleep = this.#sleeps() && (trouble.kind === "not_reached" || trouble.kind === "too_many_connections");
      return isAsleep ? new EspHomeTrouble("asleep", "It is asleep and wakes by itself.") : trouble;
    }
  }

  /** What is announced of it may already say that the hub is not to have it. @throws EspHomeTrouble */
  #notePlace(): void {
    const { edgeId, about = {}, encrypts = false } = this.place.announced();
    if (edgeId === undefined) return;
    if (this.#known?.edgeId !== edgeId) this.#known = { edgeId, about, services: [] };
    const standing = this.#standing({ edgeId, properties: [], isSensitive: false });
    if (standing === "notAdmitted") throw new EspHomeTrouble("not_admitted", "It is not admitted.");
    if (encrypts && !this.#key()) throw new EspHomeTrouble("needs_key", "It needs its encryption key.");
  }

  async #connected(endpoint: EspHomeEndpoint, signal: AbortSignal, stands: () => void): Promise<EspHomeTrouble> {
    const key = this.#key();
    const { clock, counters, clientName } = this.#deps;
    const deps = { clock, counters, clientName, key: key && Buffer.from(key.reveal(), "base64") };
    const channel = await this.#timely(signal, async (until) =>
      EspHomeChannel.over(deps, await this.#deps.open(endpoint, until), until),
    );
    const end = () => channel.close();
    signal.addEventListener("abort", end, { once: true });
    const claimed: string[] = [];
    try {
      const description = this.#described(channel);
      if (!this.#deps.claim(description.edgeId, this))
        throw new EspHomeTrouble("reached_otherwise", "It is reached by another address.");
      claimed.push(description.edgeId);
      this.#admit(description);
      const device = new EspHomeDevice(description, transportOf(endpoint), channel, this.#deps);
      return await this.#live(device, channel, stands);
    } finally {
      signal.removeEventListener("abort", end);
      channel.close();
      for (const edgeId of claimed) this.#deps.release(edgeId, this);
    }
  }

  async #live(device: EspHomeDevice, channel: EspHomeChannel, stands: () => void): Promise<EspHomeTrouble> {
    try {
      await device.firstStates({ deadline: this.#deps.clock.monotonic() + FIRST_STATES_MS });
      if (!channel.isClosed) {
        this.#leave = () => channel.close();
        this.#offered = new OfferedDevice(device, this.#deps);
        stands();
      }
      throw await channel.closed;
    } finally {
      this.#offered?.[Symbol.dispose]();
      this.#offered = undefined;
      this.#leave = undefined;
      device[Symbol.dispose]();
    }
  }

  /** @throws EspHomeTrouble when it is not the device that it should be */
  #described(channel: EspHomeChannel): EspHomeDescription {
    const { place } = this;
    const edgeId = edgeIdOfEui(channel.info.mac);
    if (edgeId === undefined) throw new EspHomeTrouble("no_mac", "It does not report its MAC address.");
    const { edgeId: wanted } = place.announced();
    const expected = wanted ?? (place.isListed ? this.#deps.firstAt(place.name, edgeId) : edgeId);
    const about = aboutEspHome(channel.info);
    this.#known = { edgeId, about, services: [] };
    if (expected !== edgeId && !this.#isChosen(edgeId))
      throw new EspHomeTrouble("other_device", `A different device answers there (${edgeId}) than ${expected}.`);
    const description = this.#deps.describe(channel);
    const services = serviceNames(describedServices(description.properties));
    this.#known = { edgeId, about: description.about, services };
    return description;
  }

  /** Whether somebody has admitted just this device. */
  #isChosen(edgeId: string): boolean {
    return this.#deps.admission({ edgeId, services: [], isSensitive: true, isListed: false }) === "admitted";
  }

  /** What an encrypted device says to anybody. */
  async #introduce(endpoint: EspHomeEndpoint, signal: AbortSignal): Promise<void> {
    try {
      const { name, mac = "" } = await this.#timely(signal, async (until) =>
        askIntroduction(await this.#deps.open(endpoint, until), until),
      );
      const edgeId = edgeIdOfEui(mac);
      if (edgeId !== undefined) this.#known = { edgeId, about: { manufacturer: "ESPHome", name }, services: [] };
    } catch {
      // Then its place is its name.
    }
  }

  #sleeps(): boolean {
    const edgeId = this.#known?.edgeId ?? this.#deps.knownAt(this.place.name);
    return edgeId !== undefined && this.#deps.sleeps(edgeId);
  }

  #key(): Secret | undefined {
    const { place, keyName } = this;
    return place.key ?? this.#deps.keyOf(keyName) ?? this.#deps.keyOf(place.name);
  }

  #standing({ edgeId, properties, isSensitive }: Pick<EspHomeDescription, "edgeId" | "properties" | "isSensitive">) {
    const services = describedServices(properties);
    return this.#deps.admission({ edgeId, services, isSensitive, isListed: this.place.isListed });
  }

  /** @throws EspHomeTrouble */
  #admit(description: EspHomeDescription): void {
    const standing = this.#standing(description);
    if (standing === "notAdmitted") throw new EspHomeTrouble("not_admitted", "It is not admitted.");
    if (standing === "awaiting") throw new EspHomeTrouble("awaits_admission", "It must be admitted by its own edgeId.");
  }

  /** @throws what the work throws; EspHomeTrouble when it takes too long; the signal's reason */
  async #timely<T>(signal: AbortSignal, work: (until: AbortSignal) => Promise<T>): Promise<T> {
    const reason = () => new WireProblem("closed", "It does not answer.");
    const until = deadline(this.#deps.clock, "device to answer", OPENING_MS, { signal, reason });
    try {
      return await work(until.signal);
    } finally {
      until.end();
    }
  }
}
