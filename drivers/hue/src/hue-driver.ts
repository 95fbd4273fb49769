/** The driver of Hue bridges: one link for each paired bridge, wherever it is on the network, and the pairing of further bridges. */
import {
  type Admissions,
  type Admit,
  type AskClaims,
  type Attempt,
  admission,
  asShared,
  Claims,
  DeviceAddresses,
  type Driver,
  type DriverHost,
  type DriverResult,
  type DriverStore,
  type FoundDevice,
  hostWithClaims,
  KeptIdentities,
  type NetworkServices,
  type NetworkTrouble,
  networkTroubles,
  notApplied,
  SessionClaims,
  SetupFailed,
  type SetupKind,
  type SetupTalk,
  type UnpairedDevice,
} from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { type BridgeAddress, bridgeIdOf, type OpenBridge, placeOf } from "./bridge/bridge-failures.ts";
import { BridgeLink } from "./bridge/bridge-link.ts";
import { pairingByHttps } from "./bridge/https-client.ts";
import { FORGET_BRIDGE, forgetBridge, type KeptBridge, KeptBridges } from "./bridge/kept-bridges.ts";
import { openByHttps } from "./bridge/open-bridge.ts";
import { PAIR_BRIDGE, type PairingApi, pairBridge } from "./bridge/pair-bridge.ts";
import { type BridgePlace, type UnpairedBridge, UnpairedBridges } from "./bridge/unpaired-bridges.ts";
import { PairedBridges } from "./paired-bridges.ts";
import type { HueSettings } from "./settings.ts";
import { bridgeTrouble, type HueTrouble, listedBridge, unpairedTrouble } from "./troubles.ts";

export interface HueDriverDeps {
  readonly admit: Admit;
  readonly admissions?: Admissions | undefined;
  readonly store: DriverStore;
  /** Addresses of bridges in the settings. */
  readonly bridges: readonly BridgeAddress[];
  /** Bridges announced on the network; undefined when the hub does not listen for announcements. */
  readonly services?: NetworkServices | undefined;
  readonly pairing: PairingApi;
  /** Opens a paired bridge at its address. */
  readonly open: (bridgeId: string, bridge: KeptBridge) => OpenBridge;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly askClaims?: AskClaims | undefined;
}

const NOT_HERE = notApplied("The device is not connected.");
/** Maximum sentences in one problem. */
const MOST_PROBLEMS = 5;

export class HueDriver implements Driver {
  readonly name = "hue";
  readonly #deps: HueDriverDeps;
  readonly #ending = new AbortController();
  readonly #claims: Claims;
  readonly #kept: KeptBridges;
  readonly #identities: KeptIdentities;
  readonly #addresses: DeviceAddresses;
  readonly #paired: PairedBridges;
  readonly #unpaired: UnpairedBridges;
  readonly #listening: Disposable[] = [];

  private constructor(deps: HueDriverDeps, kept: KeptBridges, identities: KeptIdentities, addresses: DeviceAddresses) {
    const { clock, log, askClaims, open, pairing, services, admissions } = deps;
    this.#deps = deps;
    this.#kept = kept;
    this.#identities = identities;
    this.#addresses = addresses;
    this.#claims = new Claims({ clock, log, ask: askClaims, signal: this.#ending.signal });
    if (services) this.#listening.push(services.subscribe(() => this.#look()));
    this.#paired = new PairedBridges({
      ...{ log, kept, open },
      announced: (bridgeId) => services && this.#announced().filter((each) => each.bridgeId === bridgeId),
      link: (bridgeId, openLink) => this.#link(bridgeId, openLink),
    });
    this.#unpaired = new UnpairedBridges({
      ...{ clock, api: pairing },
      places: () => this.#placesToPair(),
      answered: (place, { bridgeId }) => this.#paired.answered(bridgeId, place),
    });
    const unlisten = admissions?.listen(() => {
      for (const link of this.#paired.links) link.admissionChanged();
    });
    if (unlisten) this.#listening.push({ [Symbol.dispose]: unlisten });
  }

  /** @throws what the store throws */
  static async start(deps: HueDriverDeps): Promise<HueDriver> {
    const kept = new KeptBridges(deps.store);
    const identities = new KeptIdentities(deps.store);
    await kept.load();
    await identities.load();
    const addresses = new DeviceAddresses(deps.store, (failure) => {
      deps.log.error({ failure: String(failure) }, "which addresses the properties of a device have could not be kept");
    });
    await addresses.load();
    return new HueDriver(deps, kept, identities, addresses);
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

  yield(edgeIds: readonly string[]): void {
    this.#claims.note(edgeIds);
    for (const link of this.#paired.links) link.yield(edgeIds);
  }

  found(): readonly FoundDevice[] {
    return this.#paired.links.flatMap((link) => link.found());
  }

  unpaired(): readonly UnpairedDevice[] {
    const devices = new Map<string, UnpairedDevice>();
    for (const bridge of this.#unpaired.all()) {
      const { facts } = bridge;
      if (facts && this.#isPaired(facts.bridgeId)) continue;
      const device = listedBridge(bridge);
      if (device) devices.set(device.edgeId ?? placeOf(bridge.place), device);
    }
    return [...devices.values()];
  }

  problem(): string | undefined {
    const problems = this.#troubles().map(({ says }) => says);
    return problems.length > 0 ? problems.slice(0, MOST_PROBLEMS).join(" ") : undefined;
  }

  setups(): readonly SetupKind[] {
    return this.#gone().length > 0 ? [PAIR_BRIDGE, FORGET_BRIDGE] : [PAIR_BRIDGE];
  }

  async setup(kind: string, talk: SetupTalk): Promise<void> {
    if (kind === FORGET_BRIDGE.kind) {
      await forgetBridge(talk, this.#gone(), (bridgeId) => this.#paired.forget(bridgeId));
    } else if (kind === PAIR_BRIDGE.kind) {
      await pairBridge(talk, {
        ...{ clock: this.#deps.clock, api: this.#deps.pairing, places: this.#unpaired.places() },
        isPaired: (bridgeId) => this.#isPaired(bridgeId),
        wasSigned: (bridgeId) => this.#paired.has(bridgeId) && this.#kept.all.get(bridgeId)?.pinned === undefined,
        keep: (bridgeId, bridge) => this.#paired.keep(bridgeId, bridge),
      });
    } else throw new SetupFailed("There is no such setup.");
    this.#look();
  }

  status() {
    const bridges = this.#paired.links.map((link) => link.status());
    return { line: this.name, bridges, troubles: this.#troubles() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    for (const each of this.#listening.splice(0)) each[Symbol.dispose]();
    await Promise.all([this.#paired[Symbol.asyncDispose](), this.#unpaired[Symbol.asyncDispose]()]);
  }

  /** Announcements or pairings may have changed. */
  #look(): void {
    this.#paired.look();
    this.#unpaired.look();
  }

  #announced() {
    return (this.#deps.services?.current() ?? []).flatMap(({ txt, address: host, port }) => {
      const bridgeId = bridgeIdOf(txt.bridgeid);
      return bridgeId === undefined ? [] : [{ bridgeId, host, port }];
    });
  }

  #isPaired(bridgeId: string): boolean {
    return this.#paired.has(bridgeId) && !this.#paired.mustBePaired(bridgeId);
  }

  /** Paired bridges without a connection. */
  #gone() {
    return this.#paired.all().filter(({ isUp }) => !isUp);
  }

  /** Addresses where an unpaired bridge may be. */
  #placesToPair(): readonly BridgePlace[] {
    const paired = this.#paired.all();
    const toPair = paired.filter(({ bridgeId }) => this.#paired.mustBePaired(bridgeId));
    const inUse = new Set(paired.filter((each) => !toPair.includes(each)).map(({ place }) => place));
    const announced = this.#announced().filter(({ bridgeId }) => !this.#isPaired(bridgeId));
    return [
      ...toPair.map(({ address }) => ({ ...address, isListed: false })),
      ...announced.map(({ host, port }) => ({ host, port, isListed: false })),
      ...this.#deps.bridges
        .filter((place) => !inUse.has(placeOf(place)))
        .map((place) => ({ ...place, isListed: true })),
    ];
  }

  #troubles(): readonly (HueTrouble | NetworkTrouble)[] {
    const paired = this.#paired.all();
    const ofPaired = paired.flatMap((each) => bridgeTrouble(each) ?? []);
    const moved = new Set(paired.map(({ pairedAt }) => pairedAt));
    const isOne = ({ place, facts }: UnpairedBridge) => {
      // A bridge that was paired at this address and has moved has its own trouble, or none.
      if (!facts) return place.isListed && !moved.has(placeOf(place));
      if (this.#paired.has(facts.bridgeId) || paired.some((each) => each.place === placeOf(place))) return false;
      // A bridge that is only announced may belong to another hub.
      return place.isListed || paired.length === 0;
    };
    const unpaired = this.#unpaired.all();
    const ofNetwork = networkTroubles(this.#deps.services, paired.length + unpaired.length > 0);
    return [...ofNetwork, ...ofPaired, ...unpaired.filter(isOne).map(unpairedTrouble)];
  }

  #link(bridgeId: string, open: OpenBridge): BridgeLink {
    const { clock, random, log, admit, admissions } = this.#deps;
    const { signal } = this.#ending;
    const session = new SessionClaims({ clock, log, claims: this.#claims, signal, answered: () => undefined });
    const host = hostWithClaims(asShared(this.#deps.host), session);
    // Last digits of the bridge's ID, which are printed on it and do not change with its address.
    const transport = `hue ${bridgeId.slice(-6)}`;
    return new BridgeLink({
      ...{
        clock,
        random,
        log,
        bridgeId,
        transport,
        host,
        open,
        identities: this.#identities,
        addresses: this.#addresses,
      },
      admit: (candidate) => admission(admit, candidate, admissions),
      ask: (edgeIds) => session.ask(edgeIds),
      // The bridge may have to be paired again.
      failed: () => this.#unpaired.look(),
      opened: () => {
        session.begin();
        host.opened(transport);
      },
    });
  }

  #live(edgeId: string) {
    for (const link of this.#paired.links) {
      const device = link.live(edgeId);
      if (device) return device;
    }
    return undefined;
  }
}

interface HueDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: DriverHost;
  readonly hubEdgeId: string;
  readonly askClaims: AskClaims;
  readonly admissions: Admissions;
  readonly store: DriverStore;
  readonly services?: NetworkServices | undefined;
}

export function hueDriver({ admit, bridges }: HueSettings, { hubEdgeId, ...deps }: HueDeps): Promise<HueDriver> {
  return HueDriver.start({
    ...{ ...deps, admit, bridges },
    pairing: pairingByHttps(hubEdgeId),
    open: (bridgeId, { key, pinned, host, port }) =>
      openByHttps({ key, known: { bridgeId, pinned }, address: { host, port } }),
  });
}
