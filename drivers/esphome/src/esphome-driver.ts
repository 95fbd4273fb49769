/** The driver of ESPHome devices: one line for each that the settings name or the network announces, under one name. */
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
  notApplied,
  type SetupKind,
  type SetupTalk,
  type UnpairedDevice,
} from "@porchlight/driver-kit";
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import { announcedEspHome } from "./announced-esphome.ts";
import { describeEspHome } from "./description/describe.ts";
import { addressesOfIndexes } from "./description/older-addresses.ts";
import type { EspHomeDevice } from "./device/esphome-device.ts";
import { connectEspHome, troubleOfLine } from "./esphome-line.ts";
import { type EspHomeEndpoint, type EspHomePlace, type OpenEspHome, USUAL_PORT } from "./esphome-place.ts";
import { espHomeCounts, espHomeProblem, espHomeTroubles, foundEspHomes, unpairedEspHomes } from "./esphome-status.ts";
import { KeptDevices } from "./kept-devices.ts";
import { keySetup } from "./key-setup.ts";
import { EspHomeTrouble, isTold, waitOf } from "./trouble.ts";
import type { EspHomeChannel } from "./wire/esphome-channel.ts";
import { WireProblem } from "./wire/problems.ts";

/** A device that the settings name. */
export interface ListedEspHome {
  readonly endpoint: EspHomeEndpoint;
  readonly key?: Secret | undefined;
}

export interface EspHomeDriverDeps {
  readonly devices: readonly ListedEspHome[];
  readonly admit: Admit;
  /** What people have admitted beside that. */
  readonly admissions?: Admissions | undefined;
  /** Where keys that people have given are kept, and what devices were called. */
  readonly store?: DriverStore | undefined;
  /** Devices that the network announces (`_esphomelib._tcp`); left out where nobody listens for announcements. */
  readonly services?: NetworkServices | undefined;
  readonly open: OpenEspHome;
  readonly hubEdgeId: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  /** Asks the cloud which devices are another hub's; left out when there is no cloud. */
  readonly askClaims?: AskClaims | undefined;
  readonly backoff?: BackoffPolicy | undefined;
}

/** As many as stand in one status. */
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
      told: ({ name }, trouble) => {
        const fields = { esphome: name, why: trouble.kind, failure: trouble.message };
        if (isTold(trouble)) log.warn(fields, "an ESPHome device cannot be used");
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

  /** The cloud says that these are another hub's. */
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
