/** The driver of Shelly devices: one line for each that the settings name or the network announces, under one name. */
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import {
  type Admissions,
  type Admit,
  type AnnouncedPlace,
  AnnouncedPlaces,
  type AskClaims,
  type Attempt,
  admission,
  asShared,
  Claims,
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
} from "../kit/index.ts";
import type { ShellyDevice } from "./device/shelly-device.ts";
import { passwordSetup } from "./password-setup.ts";
import type { ListenForDevices } from "./rpc/called-socket.ts";
import type { ShellyEndpoint, ShellyNetwork } from "./rpc/shelly-network.ts";
import { type LineDeps, ShellyLine, type ShellyPlace } from "./shelly-line.ts";
import { foundDevices, lineStatus, problemOf, troublesOf, unpairedDevices } from "./shelly-status.ts";
import { Sleepers } from "./sleepers.ts";
import { Trouble } from "./trouble.ts";

/** A device that the settings name. */
export interface ListedShelly {
  readonly endpoint: ShellyEndpoint;
  readonly password?: Secret | undefined;
}

export interface ShellyDriverDeps {
  readonly devices: readonly ListedShelly[];
  readonly admit: Admit;
  /** What people have admitted beside that. */
  readonly admissions?: Admissions | undefined;
  /** Where passwords are kept that people have given. */
  readonly store?: DriverStore | undefined;
  /** Devices that the network announces (`_shelly._tcp`); left out where nobody listens for announcements. */
  readonly services?: NetworkServices | undefined;
  readonly network: ShellyNetwork;
  /** Listens for devices that sleep; left out where the hub does not. */
  readonly listen?: ListenForDevices | undefined;
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

export class ShellyDriver implements Driver {
  readonly name = "shelly";
  readonly #deps: ShellyDriverDeps;
  readonly #ending = new AbortController();
  readonly #claims: Claims;
  readonly #passwords: KeptSecrets;
  readonly #announced: AnnouncedPlaces<ShellyLine>;
  readonly #sleepers: Sleepers;
  readonly #owners = new Map<string, ShellyLine>();
  /** edgeIds of devices that the settings name by their address. */
  readonly #listed = new Set<string>();
  readonly #counters = {
    ...{ tooLarge: 0, notJson: 0, notUnderstood: 0, unasked: 0, tooFast: 0 },
    ...{ wrongType: 0, otherChanges: 0, lostEvents: 0, tooManyDevices: 0 },
  };
  #lines: readonly ShellyLine[] = [];

  private constructor(deps: ShellyDriverDeps, passwords: KeptSecrets) {
    const { clock, log, askClaims, admissions } = deps;
    const { signal } = this.#ending;
    this.#deps = deps;
    this.#passwords = passwords;
    this.#claims = new Claims({ clock, log, ask: askClaims, signal });
    const line = this.#lineDeps();
    const isReached = (edgeId: string) => this.#owners.get(edgeId)?.device !== undefined;
    this.#sleepers = new Sleepers({ ...line, listen: deps.listen, isReached }, signal);
    this.#lines = deps.devices.map((each) => new ShellyLine(listedPlace(each), line, signal));
    const tooMany = (count: number) => {
      this.#counters.tooManyDevices = count;
    };
    const open = (place: AnnouncedPlace) => new ShellyLine(announcedPlace(place), line, signal);
    this.#announced = new AnnouncedPlaces({ services: deps.services, open, tooMany });
    const unlisten = admissions?.listen(() => {
      for (const each of this.#all) each.reconsider();
      this.#sleepers.reconsider();
    });
    signal.addEventListener("abort", () => unlisten?.(), { once: true });
  }

  /** @throws what the store throws */
  static async start(deps: ShellyDriverDeps): Promise<ShellyDriver> {
    const passwords = new KeptSecrets(deps.store, "password ");
    await passwords.load();
    return new ShellyDriver(deps, passwords);
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
    for (const line of this.#all) line.yield(edgeIds);
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
    const ends = [this.#announced[Symbol.asyncDispose](), this.#sleepers[Symbol.asyncDispose]()];
    await Promise.all([...this.#lines.map(({ ended }) => ended), ...ends]);
  }

  #networkTroubles() {
    return networkTroubles(this.#deps.services, this.#all.length > 0 || this.#sleepers.devices.length > 0);
  }

  get #all(): readonly ShellyLine[] {
    return [...this.#lines, ...this.#announced.lines];
  }

  #live(edgeId: string): ShellyDevice | undefined {
    const device = this.#owners.get(edgeId)?.device ?? this.#sleepers.device(edgeId);
    return device?.isLive ? device : undefined;
  }

  #lineDeps(): LineDeps {
    const { clock, random, log, network, hubEdgeId, backoff, admit, admissions, host } = this.#deps;
    return {
      ...{ clock, random, log, network, backoff, claims: this.#claims, counters: this.#counters },
      host: asShared(host),
      src: `porchlight-${hubEdgeId.replaceAll("-", "").toLowerCase()}`,
      admission: (edgeId, services, isListed) => {
        if (isListed) this.#listed.add(edgeId);
        const all = admit.all || this.#listed.has(edgeId);
        return admission({ ...admit, all }, { edgeId, services, isSensitive: false }, admissions);
      },
      sleeps: () => {
        throw this.#sleepers.isListening
          ? new Trouble("reached_otherwise", "It sleeps and connects to the hub by itself.")
          : new Trouble(
              "sleeps",
              "It sleeps, so it must connect to the hub, but the hub does not listen for such devices.",
            );
      },
      passwordOf: (edgeId) => this.#passwords.of(edgeId),
      claim: (edgeId, line) => {
        if ((this.#owners.get(edgeId) ?? line) !== line || this.#sleepers.device(edgeId)) return false;
        this.#owners.set(edgeId, line);
        return true;
      },
      release: (edgeId, line) => {
        if (this.#owners.get(edgeId) !== line) return;
        this.#owners.delete(edgeId);
        // Another address of the same device may be the better one now.
        for (const other of this.#all) if (other !== line && other.trouble?.kind === "reached_otherwise") other.poke();
      },
    };
  }
}

function listedPlace({ endpoint, password }: ListedShelly): ShellyPlace {
  const { host, port } = endpoint;
  return { name: port === 80 ? host : `${host}:${port}`, endpoint: () => endpoint, isListed: true, password };
}

function announcedPlace({ name, endpoint }: AnnouncedPlace): ShellyPlace {
  return { name, endpoint, isListed: false };
}
