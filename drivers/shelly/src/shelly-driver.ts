/** The driver of Shelly devices: one line for each device in the settings or announced by the network, under one name. */
import {
  type Admissions,
  type Admit,
  type AnnouncedPlace,
  type AskClaims,
  type Attempt,
  asShared,
  Claims,
  DeviceAddresses,
  DeviceLines,
  type Driver,
  type DriverHost,
  type DriverResult,
  type DriverStore,
  type FoundDevice,
  KeptSecrets,
  type NetworkServices,
  networkTroubles,
  notApplied,
  type SetupKind,
  type SetupTalk,
  type UnpairedDevice,
} from "@porchlight/driver-kit";
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import { PASSWORD_SETUP, passwordSetup } from "./password-setup.ts";
import type { ShellySettings } from "./settings.ts";
import type { ShellyDevice } from "./shelly-device.ts";
import { connectShelly, type ShellyLine, type ShellyPlace } from "./shelly-line.ts";
import { Sleepers } from "./sleepers.ts";
import { isQuiet, lacksPassword, shellyWaitOf, Trouble, troubleOf } from "./trouble.ts";
import { type ListenForDevices, listenOn, realNetwork, type ShellyEndpoint, type ShellyNetwork } from "./web-socket.ts";

/** A device from the settings. */
export interface ListedShelly {
  readonly endpoint: ShellyEndpoint;
  readonly password?: Secret | undefined;
}

export interface ShellyDriverDeps {
  readonly devices: readonly ListedShelly[];
  readonly admit: Admit;
  /** Devices that people have admitted in addition to the settings. */
  readonly admissions?: Admissions | undefined;
  /** Stores the passwords that people entered, and the addresses of properties. */
  readonly store?: DriverStore | undefined;
  /** Devices that the network announces (`_shelly._tcp`); left out where the hub does not listen for announcements. */
  readonly services?: NetworkServices | undefined;
  readonly network: ShellyNetwork;
  /** Listens for sleeping devices; left out where the hub does not. */
  readonly listen?: ListenForDevices | undefined;
  readonly hubEdgeId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  /** Asks the cloud which devices belong to another hub; left out without a cloud. */
  readonly askClaims?: AskClaims | undefined;
  readonly backoff?: BackoffPolicy | undefined;
}

/** Maximum troubles in one status. */
const MOST_TROUBLES = 50;
const NOT_HERE = notApplied("The device is not connected.");

export class ShellyDriver implements Driver {
  readonly name = "shelly";
  readonly #deps: ShellyDriverDeps;
  readonly #ending = new AbortController();
  readonly #claims: Claims;
  readonly #passwords: KeptSecrets;
  readonly #lines: DeviceLines<ShellyDevice, Trouble, ShellyPlace>;
  readonly #sleepers: Sleepers;
  readonly #counters = {
    ...{ tooLarge: 0, notJson: 0, notUnderstood: 0, unasked: 0, tooFast: 0 },
    ...{ wrongType: 0, otherChanges: 0, lostEvents: 0, tooManyDevices: 0 },
  };

  private constructor(deps: ShellyDriverDeps, passwords: KeptSecrets, addresses: DeviceAddresses) {
    const { clock, random, log, askClaims, admissions, admit, backoff, services, network } = deps;
    const { signal } = this.#ending;
    this.#deps = deps;
    this.#passwords = passwords;
    this.#claims = new Claims({ clock, log, ask: askClaims, signal });
    this.#lines = new DeviceLines({
      ...{ listed: deps.devices.map(listedPlace), services, placeOf: announcedPlace, admit, admissions, signal },
      tooMany: (count) => {
        this.#counters.tooManyDevices = count;
      },
      isTaken: (edgeId) => this.#sleepers.device(edgeId) !== undefined,
    });
    const offer = { clock, random, log, claims: this.#claims, host: asShared(deps.host) };
    const src = `porchlight-${deps.hubEdgeId.replaceAll("-", "").toLowerCase()}`;
    const place: DeviceAddresses["place"] = (device, things) => addresses.place(device, things);
    const session = { ...offer, src, place, counters: this.#counters };
    this.#sleepers = new Sleepers(
      {
        ...{ ...session, listen: deps.listen },
        admission: (candidate) => this.#lines.admission({ ...candidate, isListed: false }),
        isReached: (edgeId) => this.#lines.device(edgeId) !== undefined,
      },
      signal,
    );
    const passwordOf = (edgeId: string) => this.#passwords.of(edgeId);
    const connecting = { ...session, network, passwordOf, sleeps: () => this.#sleeps() };
    this.#lines.open({
      ...{ ...offer, backoff, troubleOf, waitMs: shellyWaitOf },
      connect: (connection) => connectShelly(connection, connecting),
      trouble: (kind, message) => new Trouble(kind, message),
      noAnswer: () => new Trouble("not_reached", "It cannot be reached (it does not answer)."),
      troubleChanged: ({ name }, trouble) => {
        const fields = { shelly: name, why: trouble.kind, failure: trouble.message };
        if (!isQuiet(trouble)) log.warn(fields, "a Shelly device cannot be used");
      },
    });
    const unlisten = admissions?.listen(() => this.#sleepers.reconsider());
    signal.addEventListener("abort", () => unlisten?.(), { once: true });
  }

  /** @throws what the store throws */
  static async start(deps: ShellyDriverDeps): Promise<ShellyDriver> {
    const passwords = new KeptSecrets(deps.store, "password ");
    const failed = (failure: unknown) => deps.log.warn({ failure }, "addresses of Shelly devices could not be kept");
    const addresses = new DeviceAddresses(deps.store, failed);
    await Promise.all([passwords.load(), addresses.load()]);
    return new ShellyDriver(deps, passwords, addresses);
  }

  has(edgeId: string): boolean {
    return this.#live(edgeId) !== undefined;
  }

  async read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#live(device)?.read(address, attempt) ?? NOT_HERE;
  }

  async write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#live(device)?.write(address, value, attempt) ?? NOT_HERE;
  }

  /** Leaves these devices to another hub, as the cloud demands. */
  yield(edgeIds: readonly string[]): void {
    this.#claims.note(edgeIds);
    this.#lines.yield(edgeIds);
    this.#sleepers.yield(edgeIds);
  }

  found(): readonly FoundDevice[] {
    return foundDevices([...this.#all, ...this.#sleepers.turnedAway]);
  }

  unpaired(): readonly UnpairedDevice[] {
    return unpairedDevices(this.#all);
  }

  problem(): string | undefined {
    const network = this.#networkTroubles().map(({ says }) => says);
    const problems = [this.#sleepers.problem, ...network, problemOf(this.#all)].filter((each) => each !== undefined);
    return problems.length === 0 ? undefined : problems.join(" ");
  }

  setups(): readonly SetupKind[] {
    return passwordSetup(this.#all, this.#passwords).kinds;
  }

  async setup(kind: string, talk: SetupTalk): Promise<void> {
    await passwordSetup(this.#all, this.#passwords).run(kind, talk);
  }

  status() {
    return {
      line: this.name,
      devices: lineStatus(this.#all, this.#sleepers.devices),
      troubles: [...this.#networkTroubles(), ...troublesOf(this.#all)].slice(0, MOST_TROUBLES),
      ignored: Object.fromEntries(Object.entries(this.#counters).filter(([, count]) => count > 0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await Promise.all([this.#lines[Symbol.asyncDispose](), this.#sleepers[Symbol.asyncDispose]()]);
  }

  #networkTroubles() {
    return networkTroubles(this.#deps.services, this.#all.length > 0 || this.#sleepers.devices.length > 0);
  }

  get #all() {
    return this.#lines.all;
  }

  #live(edgeId: string): ShellyDevice | undefined {
    const device = this.#lines.device(edgeId) ?? this.#sleepers.device(edgeId);
    return device?.isLive ? device : undefined;
  }

  /** @throws Trouble */
  #sleeps(): never {
    if (this.#sleepers.isListening)
      throw new Trouble("reached_otherwise", "It sleeps and connects to the hub by itself.");
    throw new Trouble(
      "sleeps",
      "It sleeps, so it must connect to the hub, but the hub does not listen for such devices.",
    );
  }
}

function listedPlace({ endpoint, password }: ListedShelly): ShellyPlace {
  const { host, port } = endpoint;
  return { name: port === 80 ? host : `${host}:${port}`, endpoint: () => endpoint, isListed: true, password };
}

function announcedPlace({ name, endpoint }: AnnouncedPlace): ShellyPlace {
  return { name, endpoint, isListed: false };
}

/** Maximum sentences in one problem. */
const MOST_PROBLEMS = 5;

type Lines = readonly Pick<ShellyLine, "place" | "known" | "trouble" | "device">[];

function foundDevices(lines: readonly Pick<ShellyLine, "known" | "trouble">[]): FoundDevice[] {
  return lines.flatMap(({ known, trouble }) => {
    if (!known || !trouble?.awaitsAdmission) return [];
    const admission = trouble.kind === "awaits_admission" ? "awaiting_admission" : "not_admitted";
    return [{ ...known, admission }];
  });
}

/** Devices whose password the hub lacks. */
function unpairedDevices(lines: readonly Pick<ShellyLine, "place" | "known" | "trouble">[]): UnpairedDevice[] {
  return lines.flatMap(({ place, known, trouble }) => {
    if (!trouble || !lacksPassword(trouble)) return [];
    const { edgeId, about } = known ?? {};
    const device = { name: about?.name ?? about?.model ?? "Shelly", edgeId, address: place.name };
    // A wrong password in the settings must be corrected there.
    if (place.password || !known) return [{ ...device, missing: `${trouble.message} ${trouble.cure}` }];
    const missing = trouble.kind === "wrong_password" ? "Its password has changed. Enter it." : "Enter its password.";
    return [{ ...device, missing, setup: PASSWORD_SETUP.kind }];
  });
}

/** Troubles with devices that the hub should have, one sentence each. */
function problemOf(lines: Lines): string | undefined {
  const problems = troublesOf(lines).map(({ says }) => says);
  if (problems.length === 0) return undefined;
  const more = problems.length - MOST_PROBLEMS;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`${more} more cannot be used.`] : [])].join(" ");
}

/** The same troubles as a list, each with its cure; `doctor` reads it. */
function troublesOf(lines: Lines) {
  return lines.flatMap(({ place, known, trouble, device }) => {
    if (device || !trouble || isQuiet(trouble)) return [];
    const name = known?.about.name ?? known?.about.model;
    const says = `${place.name}${name === undefined ? "" : ` (${name})`}: ${trouble.message}`;
    return [{ edgeId: known?.edgeId, why: trouble.kind, says, cure: trouble.cure }];
  });
}

function lineStatus(lines: Lines, sleepers: readonly ShellyDevice[]) {
  const devices = [...lines.flatMap(({ device }) => device ?? []), ...sleepers];
  const live = devices.filter(({ isLive }) => isLive).length;
  const leftAside: Record<string, number> = {};
  for (const { description } of devices)
    for (const [what, count] of Object.entries(description.leftAside)) leftAside[what] = (leftAside[what] ?? 0) + count;
  const asleep = sleepers.filter(({ isAwake }) => !isAwake).length;
  return { known: lines.length + sleepers.length, live, asleep, components: { leftAside } };
}

interface ShellyDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  readonly askClaims: AskClaims;
  readonly admissions?: Admissions | undefined;
  readonly store?: DriverStore | undefined;
  readonly services?: NetworkServices | undefined;
}

/** @throws what the store throws */
export function shellyDriver({ devices, admit, listen }: ShellySettings, deps: ShellyDeps): Promise<ShellyDriver> {
  const listed = devices.map(({ host, port, password }) => ({ endpoint: { host, port }, password }));
  return ShellyDriver.start({
    ...deps,
    devices: listed,
    admit,
    network: realNetwork,
    listen: listen && listenOn(listen),
  });
}
