/** The driver: all paired nodes and their devices, and the setups that add and remove them. */
import {
  type Attempt,
  DeviceAddresses,
  type DriverResult,
  type DriverStore,
  KeptIdentities,
  LinkDevices,
  notApplied,
  type SetupKind,
  type SetupTalk,
  type SharedHost,
  type StatedDriver,
} from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import type { MatterDevice } from "./matter-device.ts";
import type { MatterNetwork, MatterNode } from "./matter-network.ts";
import { NodeDevices } from "./node-devices.ts";
import { OpenPairings, PAIR, pairDevice, RELEASE, REMOVE, releaseAll, removeDevice } from "./pair-device.ts";
import { hasIpv6, matterTroubles, sentenceOf } from "./troubles.ts";

export interface MatterDriverDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly store: DriverStore;
  readonly network: MatterNetwork;
  /** Whether this machine has IPv6, which many devices require. */
  readonly hasIpv6?: (() => boolean) | undefined;
}

const NOT_HERE = notApplied("The device is not connected.");

export class MatterDriver implements StatedDriver {
  readonly name = "matter";
  readonly #deps: MatterDriverDeps;
  readonly #identities: KeptIdentities;
  readonly #addresses: DeviceAddresses;
  readonly #pairings: OpenPairings;
  readonly #devices: LinkDevices<MatterDevice>;
  readonly #nodes = new Map<MatterNode, NodeDevices>();
  readonly #counters = { lateEvents: 0, lostEvents: 0 };
  readonly #unlisten: () => void;
  /** Monotonic ms at which each node was last connected, or the driver started. */
  readonly #goneSince = new Map<MatterNode, number>();
  #isOver = false;

  private constructor(
    deps: MatterDriverDeps,
    identities: KeptIdentities,
    addresses: DeviceAddresses,
    pairings: OpenPairings,
  ) {
    this.#deps = deps;
    this.#identities = identities;
    this.#addresses = addresses;
    this.#pairings = pairings;
    // The agent decides on admission, and on the claims of other hubs.
    this.#devices = new LinkDevices({ ...deps, admit: () => "admitted", ask: () => undefined });
    this.#devices.up();
    this.#unlisten = deps.network.listen(() => this.#look());
    this.#look();
    pairings.recover();
  }

  /** @throws what the store throws */
  static async start(deps: MatterDriverDeps): Promise<MatterDriver> {
    const identities = new KeptIdentities(deps.store);
    const addresses = new DeviceAddresses(deps.store, (failure) =>
      deps.log.warn({ failure: String(failure) }, "the addresses of Matter devices could not be kept"),
    );
    await Promise.all([identities.load(), addresses.load()]);
    return new MatterDriver(deps, identities, addresses, await OpenPairings.load(deps));
  }

  has(edgeId: string): boolean {
    return this.#devices.live(edgeId) !== undefined;
  }

  async read(device: string, address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#liveNow(device)?.read(address, attempt) ?? NOT_HERE;
  }

  async write(device: string, address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#liveNow(device)?.write(address, value, attempt) ?? NOT_HERE;
  }

  yield(edgeIds: readonly string[]): void {
    this.#devices.yield(edgeIds);
  }

  problem(): string | undefined {
    return sentenceOf(this.#troubles());
  }

  setups(): readonly SetupKind[] {
    const nodes = [...this.#nodes.values()];
    if (nodes.length === 0) return [PAIR];
    return [
      PAIR,
      REMOVE,
      { ...RELEASE, releases: nodes.flatMap(({ devices }) => devices.map(({ edgeId }) => edgeId)) },
    ];
  }

  setup(kind: string, talk: SetupTalk): Promise<void> {
    const { network, clock, random, log } = this.#deps;
    const nodes = () => [...this.#nodes.values()];
    const deps = { network, clock, random, log, nodes, pairings: this.#pairings };
    if (kind === REMOVE.kind) return removeDevice(talk, deps);
    return kind === RELEASE.kind ? releaseAll(talk, deps) : pairDevice(talk, deps);
  }

  status() {
    const { devices } = this.#devices.status();
    const nodes = [...this.#nodes.values()];
    return {
      fabric: this.#deps.network.fabricId,
      nodes: nodes.length,
      connected: nodes.filter(({ node }) => node.isConnected).length,
      devices,
      ignored: { ...this.#counters },
      troubles: this.#troubles(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unlisten();
    this.#pairings[Symbol.dispose]();
    this.#devices.down();
    for (const each of this.#nodes.values()) each[Symbol.dispose]();
    await this.#deps.network[Symbol.asyncDispose]();
  }

  /** A device of the host, at its node's current structure. */
  #liveNow(edgeId: string): MatterDevice | undefined {
    for (const each of this.#nodes.values()) each.settle();
    return this.#devices.live(edgeId);
  }

  /** Nodes were added or removed. */
  #look(): void {
    const { network, clock } = this.#deps;
    const now = new Set(network.nodes);
    for (const [node, devices] of [...this.#nodes]) {
      if (now.has(node)) continue;
      devices[Symbol.dispose]();
      this.#nodes.delete(node);
      this.#goneSince.delete(node);
    }
    for (const node of now) {
      if (this.#nodes.has(node)) continue;
      this.#goneSince.set(node, clock.monotonic());
      this.#nodes.set(node, this.#devicesOf(node));
    }
    this.#see();
  }

  #devicesOf(node: MatterNode): NodeDevices {
    const { clock, log, host, network } = this.#deps;
    return new NodeDevices(node, {
      ...{ clock, log, host, counters: this.#counters, fabricId: network.fabricId, identities: this.#identities },
      place: (device, things) => this.#addresses.place(device, things),
      isTaken: (edgeId, own) =>
        [...this.#nodes.values()].some((each) => each !== own && each.devices.some((one) => one.edgeId === edgeId)),
      changed: () => {
        if (this.#goneSince.has(node)) this.#goneSince.set(node, clock.monotonic());
        this.#see();
      },
    });
  }

  #see(): void {
    this.#devices.see(new Map(this.#all().map((device) => [device.edgeId, device])));
  }

  #all(): readonly MatterDevice[] {
    return [...this.#nodes.values()].flatMap(({ devices }) => devices);
  }

  #troubles() {
    const { clock, hasIpv6: ipv6 = hasIpv6 } = this.#deps;
    const nodes = [...this.#nodes.values()].map(({ node, name }) => ({
      name,
      isConnected: node.isConnected,
      goneMs: clock.monotonic() - (this.#goneSince.get(node) ?? 0),
    }));
    return matterTroubles(nodes, ipv6());
  }
}
