/** The driver of Hue bridges: of each bridge that is paired a link, wherever it is on the network, and the pairing of more. */
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import {
  type Admissions,
  type Admit,
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
  hostWithClaims,
  KeptIdentities,
  type NetworkServices,
  notApplied,
  SessionClaims,
  SetupFailed,
  type SetupKind,
  type SetupTalk,
} from "../kit/index.ts";
import type { BridgeAddress, OpenBridge } from "./bridge/bridge-api.ts";
import { BridgeLink } from "./bridge/bridge-link.ts";
import { bridgeIdOf, type KeptBridge, KeptBridges } from "./bridge/kept-bridges.ts";
import { PAIR_BRIDGE, pairBridge } from "./pairing/pair-bridge.ts";
import type { PairingApi } from "./pairing/pairing-api.ts";

export interface HueDriverDeps {
  readonly admit: Admit;
  readonly admissions?: Admissions | undefined;
  readonly store: DriverStore;
  /** Addresses of bridges that the settings name. */
  readonly bridges: readonly BridgeAddress[];
  /** Bridges that are announced on the network; undefined when nothing is looked for there. */
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

export class HueDriver implements Driver {
  readonly name = "hue";
  readonly #deps: HueDriverDeps;
  readonly #ending = new AbortController();
  readonly #claims: Claims;
  readonly #kept: KeptBridges;
  readonly #identities: KeptIdentities;
  readonly #links = new Map<string, BridgeLink>();
  readonly #listening: Disposable[] = [];

  private constructor(deps: HueDriverDeps) {
    const { clock, log, askClaims } = deps;
    this.#deps = deps;
    this.#claims = new Claims({ clock, log, ask: askClaims, signal: this.#ending.signal });
    this.#kept = new KeptBridges(deps.store);
    this.#identities = new KeptIdentities(deps.store);
  }

  /** @throws what the store throws */
  static async start(deps: HueDriverDeps): Promise<HueDriver> {
    const driver = new HueDriver(deps);
    await driver.#begin();
    return driver;
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
    for (const link of this.#links.values()) link.yield(edgeIds);
  }

  found(): readonly FoundDevice[] {
    return [...this.#links.values()].flatMap((link) => link.found());
  }

  problem(): string | undefined {
    const problems = [...this.#links.values()].flatMap((link) => link.problem() ?? []);
    const unpaired = this.#unpaired().map(({ host }) => host);
    if (unpaired.length > 0)
      problems.push(
        `A Hue bridge is not paired (${unpaired.join(", ")}): run porchlight-agent devices pair ${PAIR_BRIDGE.kind}.`,
      );
    return problems.length > 0 ? problems.join(" ") : undefined;
  }

  setups(): readonly SetupKind[] {
    return [PAIR_BRIDGE];
  }

  async setup(kind: string, talk: SetupTalk): Promise<void> {
    if (kind !== PAIR_BRIDGE.kind) throw new SetupFailed("There is no such setup.");
    const { clock, pairing } = this.#deps;
    const keep = async (bridgeId: string, bridge: KeptBridge) => {
      await this.#kept.keep(bridgeId, bridge);
      await this.#restart(bridgeId, bridge);
    };
    await pairBridge(talk, { clock, api: pairing, places: this.#unpaired(), keep });
  }

  status() {
    return { line: this.name, bridges: [...this.#links.values()].map((link) => link.status()) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    for (const each of this.#listening.splice(0)) each[Symbol.dispose]();
    await Promise.all([...this.#links.values()].map((link) => link[Symbol.asyncDispose]()));
  }

  async #begin(): Promise<void> {
    const { services, admissions } = this.#deps;
    await this.#kept.load();
    await this.#identities.load();
    for (const [bridgeId, bridge] of this.#kept.all) this.#start(bridgeId, bridge);
    const unlisten = admissions?.listen(() => {
      for (const link of this.#links.values()) link.admissionChanged();
    });
    if (unlisten) this.#listening.push({ [Symbol.dispose]: unlisten });
    if (!services) return;
    this.#listening.push(services.subscribe(() => void this.#follow(services)));
    await this.#follow(services);
  }

  /** A bridge that says that it is somewhere else is looked for there. */
  async #follow(services: NetworkServices): Promise<void> {
    for (const { txt, address: host, port } of services.current()) {
      const bridgeId = bridgeIdOf(txt.bridgeid);
      const kept = bridgeId === undefined ? undefined : this.#kept.all.get(bridgeId);
      if (bridgeId === undefined || !kept || (kept.host === host && kept.port === port)) continue;
      // It stands beside a link that still works: the announcement may be anybody's, and the certificate says whose it is.
      if (this.#links.get(bridgeId)?.problem() === undefined) continue;
      await this.#kept.keep(bridgeId, { ...kept, host, port });
      await this.#restart(bridgeId, { ...kept, host, port });
    }
  }

  async #restart(bridgeId: string, bridge: KeptBridge): Promise<void> {
    const before = this.#links.get(bridgeId);
    this.#links.delete(bridgeId);
    await before?.[Symbol.asyncDispose]();
    if (!this.#ending.signal.aborted) this.#start(bridgeId, bridge);
  }

  #start(bridgeId: string, bridge: KeptBridge): void {
    const { clock, random, log, admit, admissions, open } = this.#deps;
    const { signal } = this.#ending;
    const session = new SessionClaims({ clock, log, claims: this.#claims, signal, answered: () => undefined });
    const host = hostWithClaims(asShared(this.#deps.host), session);
    const transport = `hue ${bridge.host}`;
    const link = new BridgeLink({
      ...{ clock, random, log, bridgeId, transport, host, identities: this.#identities },
      admit: (candidate) => admission(admit, candidate, admissions),
      ask: (edgeIds) => session.ask(edgeIds),
      open: open(bridgeId, bridge),
      opened: () => {
        session.begin();
        host.opened(transport);
      },
    });
    this.#links.set(bridgeId, link);
  }

  /** Where bridges may be with which the hub is not paired. */
  #unpaired(): readonly BridgeAddress[] {
    const { services, bridges } = this.#deps;
    const paired = new Set([...this.#kept.all.values()].map(({ host }) => host));
    const seen = (services?.current() ?? []).filter(({ txt }) => !this.#kept.all.has(bridgeIdOf(txt.bridgeid) ?? ""));
    const places = [...bridges, ...seen.map(({ address: host, port }) => ({ host, port }))];
    const byHost = new Map(places.map((place) => [place.host, place]));
    return [...byHost.values()].filter(({ host }) => !paired.has(host));
  }

  #live(edgeId: string) {
    for (const link of this.#links.values()) {
      const device = link.live(edgeId);
      if (device) return device;
    }
    return undefined;
  }
}
