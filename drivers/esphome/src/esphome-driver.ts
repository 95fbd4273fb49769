/** The driver of ESPHome devices: one line for each device in the settings or announced by the network, under one name. */
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
  edgeIdOfEui,
  type FoundDevice,
  KeptSecrets,
  type NetworkService,
  type NetworkServices,
  notApplied,
  type SetupKind,
  type SetupTalk,
  type UnpairedDevice,
} from "@porchlight/driver-kit";
import { openNetworkLink } from "@porchlight/driver-kit/links";
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import { describeEspHome } from "./description/describe.ts";
import type { EspHomeDevice } from "./esphome-device.ts";
import {
  type AnnouncedEspHome,
  connectEspHome,
  type EspHomeEndpoint,
  type EspHomePlace,
  type OpenEspHome,
  troubleOfLine,
  USUAL_PORT,
} from "./esphome-line.ts";
import { espHomeCounts, espHomeProblem, espHomeTroubles, foundEspHomes, unpairedEspHomes } from "./esphome-status.ts";
import { addressesOfIndexes, KeptDevices } from "./kept-devices.ts";
import { keySetup } from "./key-setup.ts";
import type { EspHomeSettings } from "./settings.ts";
import { EspHomeTrouble, needsReport, waitOf } from "./trouble.ts";
import type { EspHomeChannel } from "./wire/esphome-channel.ts";
import { WireProblem } from "./wire/frames.ts";

/** A device from the settings. */
export interface ListedEspHome {
  readonly endpoint: EspHomeEndpoint;
  readonly key?: Secret | undefined;
}

export interface EspHomeDriverDeps {
  readonly devices: readonly ListedEspHome[];
  readonly admit: Admit;
  /** Devices that people have admitted in addition to the settings. */
  readonly admissions?: Admissions | undefined;
  /** Stores the keys that people entered, and facts and addresses of devices. */
  readonly store?: DriverStore | undefined;
  /** Devices that the network announces (`_esphomelib._tcp`); left out where the hub does not listen for announcements. */
  readonly services?: NetworkServices | undefined;
  readonly open: OpenEspHome;
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

export class EspHomeDriver implements Driver {
  readonly name = "esphome";
  readonly #deps: EspHomeDriverDeps;
  readonly #ending = new AbortController();
  readonly #claims: Claims;
  readonly #keys: KeptSecrets;
  readonly #kept: KeptDevices;
  readonly #addresses: DeviceAddresses;
  readonly #lines: DeviceLines<EspHomeDevice, EspHomeTrouble, EspHomePlace>;
  readonly #counters = {
    ...{ tooLarge: 0, notUnderstood: 0, tooFast: 0, tooManyEntities: 0 },
    ...{ wrongType: 0, otherStates: 0, lostEvents: 0, tooManyDevices: 0 },
  };

  private constructor(deps: EspHomeDriverDeps, keys: KeptSecrets, kept: KeptDevices, addresses: DeviceAddresses) {
    const { clock, random, log, askClaims, admissions, admit, backoff, services, open } = deps;
    const { signal } = this.#ending;
    this.#deps = deps;
    this.#keys = keys;
    this.#kept = kept;
    this.#addresses = addresses;
    this.#claims = new Claims({ clock, log, ask: askClaims, signal });
    this.#lines = new DeviceLines({
      ...{ listed: deps.devices.map(listedPlace), services, placeOf: announcedPlace, admit, admissions, signal },
      tooMany: (count) => {
        this.#counters.tooManyDevices = count;
      },
    });
    const offer = { clock, random, log, claims: this.#claims, host: asShared(deps.host) };
    const connecting = {
      ...{ ...offer, open, kept, counters: this.#counters },
      clientName: `Porchlight ${deps.hubEdgeId}`,
      keyOf: (of: string) => this.#keys.of(of),
      describe: (channel: EspHomeChannel) => this.#describe(channel),
    };
    this.#lines.open({
      ...{ ...offer, backoff, waitMs: waitOf },
      connect: (connection) => connectEspHome(connection, connecting),
      trouble: (kind, message) => new EspHomeTrouble(kind, message),
      troubleOf: (failure, line) => troubleOfLine(failure, line, kept),
      noAnswer: () => new WireProblem("closed", "It does not answer."),
      troubleChanged: ({ name }, trouble) => {
        const fields = { esphome: name, why: trouble.kind, failure: trouble.message };
        if (needsReport(trouble)) log.warn(fields, "an ESPHome device cannot be used");
      },
    });
  }

  /** @throws what the store throws */
  static async start(deps: EspHomeDriverDeps): Promise<EspHomeDriver> {
    const keys = new KeptSecrets(deps.store, "key ");
    const failed = (failure: unknown) => deps.log.warn({ failure }, "what devices were called could not be kept");
    const kept = new KeptDevices(deps.store, failed);
    const addresses = new DeviceAddresses(deps.store, failed);
    await Promise.all([keys.load(), kept.load(), addresses.load()]);
    return new EspHomeDriver(deps, keys, kept, addresses);
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
  }

  found(): readonly FoundDevice[] {
    return foundEspHomes(this.#all);
  }

  unpaired(): readonly UnpairedDevice[] {
    return unpairedEspHomes(this.#all);
  }

  problem(): string | undefined {
    return espHomeProblem(this.#all, this.#deps.services);
  }

  setups(): readonly SetupKind[] {
    return keySetup(this.#all, this.#keys).kinds;
  }

  async setup(kind: string, talk: SetupTalk): Promise<void> {
    await keySetup(this.#all, this.#keys).run(kind, talk);
  }

  status() {
    return {
      line: this.name,
      devices: espHomeCounts(this.#all),
      troubles: espHomeTroubles(this.#all, this.#deps.services).slice(0, MOST_TROUBLES),
      ignored: Object.fromEntries(Object.entries(this.#counters).filter(([, count]) => count > 0)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#lines[Symbol.asyncDispose]();
  }

  get #all() {
    return this.#lines.all;
  }

  #live(edgeId: string): EspHomeDevice | undefined {
    const device = this.#lines.device(edgeId);
    return device?.isLive ? device : undefined;
  }

  #describe({ info, entities }: EspHomeChannel) {
    const description = describeEspHome(info, entities, (edgeId, things) => {
      const older = this.#kept.olderIndexes(edgeId);
      if (older) this.#addresses.adopt(edgeId, addressesOfIndexes(older, things));
      return this.#addresses.place(edgeId, things);
    });
    this.#kept.keep(description.edgeId, description.sleeps);
    return description;
  }
}

function listedPlace({ endpoint, key }: ListedEspHome): EspHomePlace {
  const { host, port } = endpoint;
  const name = port === USUAL_PORT ? host : `${host}:${port}`;
  return { name, endpoint: () => endpoint, announced: () => ({}), isListed: true, key };
}

function announcedPlace({ name, service, endpoint }: AnnouncedPlace): EspHomePlace {
  return {
    ...{ name, endpoint },
    announced: () => {
      const now = service();
      return now ? announcedEspHome(now) : {};
    },
    isListed: false,
  };
}

/** Longest text taken from an announcement (`_esphomelib._tcp`), characters. Announcements are not authenticated. */
const LONGEST = 128;

function announcedEspHome({ instance, txt }: Pick<NetworkService, "instance" | "txt">): AnnouncedEspHome {
  const text = (key: string) => (txt[key] ? txt[key].slice(0, LONGEST) : undefined);
  const project = text("project_name")?.split(".", 2);
  return {
    edgeId: edgeIdOfEui(txt.mac ?? ""),
    about: {
      manufacturer: project?.[1] === undefined ? "ESPHome" : project[0],
      model: project?.[1] ?? text("board"),
      firmware: text("version"),
      serial: instance.slice(0, LONGEST),
      name: text("friendly_name") ?? instance.slice(0, LONGEST),
    },
    encrypts: txt.api_encryption !== undefined,
  };
}

interface EspHomeDeps {
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
export function espHomeDriver({ devices, admit }: EspHomeSettings, deps: EspHomeDeps): Promise<EspHomeDriver> {
  return EspHomeDriver.start({
    ...deps,
    devices: devices.map(({ host, port, key }) => ({ endpoint: { host, port }, key })),
    admit,
    open: ({ host, port }, signal) => openNetworkLink(deps.clock, { address: host, port }, signal),
  });
}
