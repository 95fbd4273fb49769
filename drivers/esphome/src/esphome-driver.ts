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
  networkTroubles,
  notApplied,
  SetupFailed,
  type SetupKind,
  type SetupTalk,
  type UnpairedDevice,
} from "@porchlight/driver-kit";
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { Secret } from "@porchlight/shared/settings";
import { describeEspHome } from "./description/describe.ts";
import { addressesOfIndexes } from "./description/older-addresses.ts";
import type { EspHomeDevice } from "./device/esphome-device.ts";
import {
  type AnnouncedEspHome,
  connectEspHome,
  type EspHomeEndpoint,
  type EspHomeLine,
  type EspHomePlace,
  keyNameOf,
  type OpenEspHome,
  troubleOfLine,
  USUAL_PORT,
} from "./esphome-line.ts";
import { KeptDevices } from "./kept-devices.ts";
import { EspHomeTrouble, isTold, lacksKey, waitOf } from "./trouble.ts";
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

/** Maximum sentences in one problem. */
const MOST_SENTENCES = 5;

type EspHomeLines = readonly Pick<EspHomeLine, "place" | "known" | "trouble" | "device">[];

/** Devices that a person can admit, each once, including a device found in place of the expected one. */
function foundEspHomes(lines: EspHomeLines): FoundDevice[] {
  const found = new Map<string, FoundDevice>();
  for (const { known, trouble } of lines) {
    if (!known || !trouble?.awaitsAdmission) continue;
    const admission = trouble.kind === "not_admitted" ? "not_admitted" : "awaiting_admission";
    if (!found.has(known.edgeId)) found.set(known.edgeId, { ...known, admission });
  }
  return [...found.values()];
}

/** Devices whose encryption key the hub lacks, each once. */
function unpairedEspHomes(lines: EspHomeLines): UnpairedDevice[] {
  const unpaired = new Map<string, UnpairedDevice>();
  for (const { place, known, trouble } of lines) {
    if (!trouble || !lacksKey(trouble)) continue;
    const { edgeId, about } = known ?? {};
    const device = { name: about?.name ?? about?.model ?? "ESPHome", edgeId, address: place.name };
    const missing =
      trouble.kind === "wrong_key" ? "Its encryption key has changed. Enter it." : "Enter its encryption key.";
    // A wrong key in the settings must be corrected there.
    const how = place.key ? { missing: `${trouble.message} ${trouble.cure}` } : { missing, setup: KEY_SETUP.kind };
    unpaired.set(edgeId ?? place.name, { ...device, ...how });
  }
  return [...unpaired.values()];
}

/** Troubles with devices that the hub should have, one sentence each. */
function espHomeProblem(lines: EspHomeLines, services?: NetworkServices): string | undefined {
  const said = espHomeTroubles(lines, services).map(({ says }) => says);
  if (said.length === 0) return undefined;
  const more = said.length - MOST_SENTENCES;
  return [...said.slice(0, MOST_SENTENCES), ...(more > 0 ? [`${more} more cannot be used.`] : [])].join(" ");
}

/** The same troubles as a list, each with its cure; `doctor` reads it. */
function espHomeTroubles(lines: EspHomeLines, services?: NetworkServices) {
  const ofDevices = lines.flatMap(({ place, known, trouble, device }) => {
    if (device || !trouble || !isTold(trouble)) return [];
    const name = known?.about.name ?? known?.about.model;
    const says = `${place.name}${name === undefined || name === place.name ? "" : ` (${name})`}: ${trouble.message}`;
    return [{ edgeId: known?.edgeId, why: trouble.kind, says, cure: trouble.cure }];
  });
  return [...networkTroubles(services, lines.length > 0), ...ofDevices];
}

function espHomeCounts(lines: EspHomeLines) {
  const devices = lines.flatMap(({ device }) => device ?? []);
  const leftAside: Record<string, number> = {};
  for (const { description } of devices)
    for (const [what, count] of Object.entries(description.leftAside)) leftAside[what] = (leftAside[what] ?? 0) + count;
  return {
    known: lines.length,
    live: devices.filter(({ isLive }) => isLive).length,
    asleep: lines.filter(({ trouble }) => trouble?.kind === "asleep").length,
    entities: { leftAside },
  };
}

/** Setup in which a person enters a device's encryption key; the driver tries it at once and stores it when it is right. */
const KEY_SETUP: SetupKind = { kind: "esphome-key", title: "Enter the encryption key of an ESPHome device" };
/** Timeout for trying a key, s. */
const TRYING_S = 30;
const KEY_BYTES = 32;

/** Extracts the key from the pasted text; undefined when there is none. */
function espHomeKey(text: string): string | undefined {
  const written = text
    .trim()
    .replace(/^key:\s*/, "")
    .replace(/^["']|["']$/g, "");
  const isBase64 = /^[A-Za-z0-9+/]{43}=$/.test(written);
  return isBase64 && Buffer.from(written, "base64").length === KEY_BYTES ? written : undefined;
}

function keySetup(lines: readonly EspHomeLine[], keys: KeptSecrets) {
  // A wrong key in the settings must be corrected there.
  const locked = lines.filter(({ trouble, place }) => trouble && lacksKey(trouble) && !place.key);
  const kinds: SetupKind[] = locked.length === 0 ? [] : [KEY_SETUP];
  return {
    kinds,
    /** @throws SetupFailed, the talk's signal's reason */
    run: async (kind: string, talk: SetupTalk): Promise<void> => {
      if (kind !== KEY_SETUP.kind || locked.length === 0) throw new SetupFailed("No ESPHome device needs a key.");
      const line = await chosen(locked, talk);
      const text = `The encryption key of ${nameOfLine(line)}. It is in the device's configuration, under \`api: encryption: key:\`.`;
      const key = espHomeKey(await talk.ask({ ask: "password", text }));
      if (key === undefined) throw new SetupFailed("That is not a key. A key has 44 characters and ends with =.");
      talk.tell("The key is being tried.", TRYING_S);
      const keyName = keyNameOf(line);
      await tried(line, keyName, new Secret(key), keys, talk.signal);
      await keys.keep(keyName);
      talk.found({ edgeId: line.known?.edgeId, name: nameOfLine(line) });
    },
  };
}

/** @throws SetupFailed, the signal's reason; the previous key is then restored */
async function tried(line: EspHomeLine, name: string, key: Secret, keys: KeptSecrets, signal: AbortSignal) {
  const before = keys.of(name);
  keys.use(name, key);
  const outcome = line.outcome(signal);
  line.poke();
  const result = await outcome.catch((failure: unknown) => {
    keys.use(name, before);
    throw failure;
  });
  if (result === "connected" || result.kind === "awaits_admission" || result.kind === "not_admitted") return;
  keys.use(name, before);
  throw new SetupFailed(result.kind === "wrong_key" ? "The key is wrong." : result.message);
}

async function chosen(locked: readonly EspHomeLine[], talk: SetupTalk): Promise<EspHomeLine> {
  const [only] = locked;
  if (only && locked.length === 1) return only;
  const choices = locked.map(nameOfLine);
  const answer = await talk.ask({ ask: "choice", text: "Which one?", choices });
  const found = locked[choices.indexOf(answer)];
  if (!found) throw new SetupFailed("There is no such device.");
  return found;
}

/** Includes the edgeId, because two devices may share a name. */
function nameOfLine({ known, place }: EspHomeLine): string {
  if (!known) return place.name;
  return `${known.about.name ?? known.about.model ?? place.name} (${known.edgeId})`;
}
