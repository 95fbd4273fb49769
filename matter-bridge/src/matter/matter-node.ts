/**
 * The bridge as a node of Matter: a root, an aggregator, and the devices under it. With the other files of this folder the only code that
 * knows the library.
 *
 * Invariants: an endpoint is told what the values are now, never an older state after a newer one; a controller hears that a command was
 * done only after the hub said so.
 */
import "./library-settings.ts";
import {
  DeviceTypeId,
  Endpoint,
  Environment,
  Logger,
  LogLevel,
  ServerNode,
  StorageService,
  VendorId,
} from "@matter/main";
import { AggregatorEndpoint } from "@matter/main/endpoints/aggregator";
import { SubscriptionsServer } from "@matter/main/node";
import { FabricManager } from "@matter/main/protocol";
import { type Clock, KeyedQueue, type Log } from "@porchlight/shared/kernel";
import type { PairingInfo } from "../pairing/tell-hub.ts";
import type { Attributes, Happening } from "../parts/part.ts";
import { type ShownDevice, shapeOf } from "../shown/device.ts";
import type { Identity } from "../store/identities.ts";
import { type Acting, ShownBehaviors } from "./behaviors.ts";
import { type BuiltDevice, buildDevice, informationOf } from "./endpoint-of.ts";
import { setLibraryTime } from "./library-time.ts";

export interface MatterNodeDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** For everything that the library keeps. */
  readonly folder: string;
  readonly port: number;
  readonly version: string;
  /** Who carries out what is asked of a device. */
  readonly actingFor: (deviceId: string, part: number) => Acting;
  /** The library has begun anew, as after the last controller has left: what the devices are must be shown again. */
  readonly renewed: () => void;
  /** Told when a controller was added or removed, or the way to add one has changed. */
  readonly pairingChanged: () => void;
}

/** Of the range for tests: a vendor's own number is given to members of the Connectivity Standards Alliance only. */
const VENDOR = 0xfff1;
const PRODUCT = 0x8000;
const AGGREGATOR = 0x0e;
const NAME = "Porchlight";

interface Shown extends BuiltDevice {
  readonly shape: string;
  readonly identity: Identity;
  /** What was last told, as JSON, by `ENDPOINT.CLUSTER.ATTRIBUTE`. */
  readonly told: Map<string, string>;
}

export class MatterNode implements AsyncDisposable {
  readonly #deps: MatterNodeDeps;
  readonly #node: ServerNode;
  readonly #aggregator: Endpoint;
  readonly #behaviors: ShownBehaviors;
  readonly #shown = new Map<string, Shown>();
  readonly #places = new WeakMap<Endpoint, { readonly deviceId: string; readonly part: number }>();
  #isOpen = false;
  /** What is done to a device's endpoints, one after the other. */
  readonly #queue = new KeyedQueue();

  private constructor(deps: MatterNodeDeps, node: ServerNode, aggregator: Endpoint) {
    this.#deps = deps;
    this.#node = node;
    this.#aggregator = aggregator;
    this.#behaviors = new ShownBehaviors((endpoint) => {
      const place = this.#places.get(endpoint);
      return place && deps.actingFor(place.deviceId, place.part);
    });
  }

  /** Makes the node; it is on the network from {@link open} on. */
  static async start(deps: MatterNodeDeps): Promise<MatterNode> {
    setLibraryTime(deps.clock);
    const environment = environmentIn(deps);
    let node = await nodeIn(environment, deps);
    if (node.state.commissioning.commissioned && node.env.get(FabricManager).fabrics.length === 0) {
      // The library takes itself for paired by what it kept of a pairing that was cut off: it has no controller, and would show no code.
      deps.log.warn({}, "a pairing was cut off: the bridge waits for a controller again");
      await node.set({ operationalCredentials: { nocs: [], fabrics: [], trustedRootCertificates: [] } });
      await node.close();
      node = await nodeIn(environment, deps);
    }
    const aggregator = new Endpoint(AggregatorEndpoint, { id: "devices", number: 1 });
    await node.add(aggregator);
    const made = new MatterNode(deps, node, aggregator);
    node.events.commissioning.fabricsChanged.on(() => made.#pairingChanged());
    return made;
  }

  /** Before it is open there is no way to pair with it. */
  #pairingChanged(): void {
    if (this.#isOpen) this.#deps.pairingChanged();
  }

  /** What the library holds is what it began with: everything is told again. */
  #begunAnew(): void {
    for (const { told } of this.#shown.values()) told.clear();
    this.#deps.renewed();
    this.#pairingChanged();
  }

  /** Goes onto the network, with the devices that are shown by then. @throws Error when it cannot, as when its port is in use */
  async open(): Promise<void> {
    this.#node.lifecycle.online.on(() => this.#begunAnew());
    // It keeps who is told what, for the next start. By itself the library begins with that only when it is paired at its start.
    await this.#node.act((agent) => agent.load(SubscriptionsServer));
    await this.#node.start();
    this.#isOpen = true;
    this.#pairingChanged();
  }

  get pairing(): PairingInfo {
    const { commissioned, fabrics, pairingCodes } = this.#node.state.commissioning;
    const controllers = Object.values(fabrics).map(({ rootVendorId, label }) => ({
      vendorId: Number(rootVendorId),
      label,
    }));
    if (commissioned) return { state: "paired", controllers };
    const { qrPairingCode: qrCode, manualPairingCode: manualCode } = pairingCodes;
    return { state: "waiting", qrCode, manualCode, controllers };
  }

  /** How many devices are shown. */
  get size(): number {
    return this.#shown.size;
  }

  /** Shows a device, or tells what has changed of it. */
  show(device: ShownDevice, identity: Identity): Promise<void> {
    return this.#queue.run(device.id, async () => {
      const shown = this.#shown.get(device.id);
      if (shown?.shape === shapeOf(device.shownAs)) return await this.#tell(shown, device);
      if (shown) await this.#remove(device.id, shown);
      await this.#add(device, identity);
    });
  }

  /** It is no more, or not to be shown. */
  hide(deviceId: string): Promise<void> {
    return this.#queue.run(deviceId, async () => {
      const shown = this.#shown.get(deviceId);
      if (shown) await this.#remove(deviceId, shown);
    });
  }

  /** Tells of something that a device did. */
  happened(deviceId: string, part: number, cluster: string, { event, data }: Happening): Promise<void> {
    return this.#queue.run(deviceId, async () => {
      const endpoint = this.#shown.get(deviceId)?.all.find((each) => each.part === part)?.endpoint;
      await endpoint?.act((agent) => {
        const behavior = agent.get(this.#typeOf(endpoint, cluster));
        const observable: unknown = Reflect.get(behavior.events, event);
        const emit: unknown = observable && Reflect.get(Object(observable), "emit");
        if (typeof emit === "function") emit.call(observable, data, agent.context);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#node.close();
  }

  #typeOf(endpoint: Endpoint, cluster: string) {
    const type = endpoint.behaviors.supported[cluster];
    if (!type) throw new Error(`${cluster} is not on endpoint ${endpoint.number}`);
    return type;
  }

  async #add(device: ShownDevice, identity: Identity): Promise<void> {
    const built = buildDevice(device, identity, this.#behaviors);
    for (const { endpoint, part } of built.all) this.#places.set(endpoint, { deviceId: device.id, part });
    await this.#aggregator.add(built.root);
    this.#shown.set(device.id, { ...built, shape: shapeOf(device.shownAs), identity, told: new Map() });
    this.#deps.log.info({ deviceId: device.id, endpoint: identity.number, name: device.name }, "a device is shown");
    this.#pairingChanged();
  }

  async #remove(deviceId: string, { root }: Shown): Promise<void> {
    this.#shown.delete(deviceId);
    await root.delete();
    this.#deps.log.info({ deviceId }, "a device is shown no more");
    this.#pairingChanged();
  }

  /** Only what differs from what was told: each attribute that is set costs a look at every subscription. */
  async #tell({ all, root, identity, told }: Shown, device: ShownDevice): Promise<void> {
    for (const { endpoint, clusters } of all) {
      const now: (readonly [cluster: string, attributes: Attributes])[] = clusters.map(({ cluster, attributes }) => {
        return [cluster, attributes(device.values)];
      });
      if (endpoint === root) now.push(["bridgedDeviceBasicInformation", informationOf(device, identity)]);
      const news = now.flatMap(([cluster, attributes]) => {
        const changed = changesOf(`${endpoint.number}.${cluster}`, attributes, told);
        return Object.keys(changed).length > 0 ? [[cluster, changed] as const] : [];
      });
      if (news.length > 0) await endpoint.set(Object.fromEntries(news));
    }
  }
}

async function nodeIn(environment: Environment, { port, version }: MatterNodeDeps): Promise<ServerNode> {
  const node = await ServerNode.create({
    id: "bridge",
    environment,
    network: { port },
    productDescription: { name: NAME, deviceType: DeviceTypeId(AGGREGATOR) },
    basicInformation: {
      ...{ vendorName: NAME, vendorId: VendorId(VENDOR), nodeLabel: NAME },
      ...{ productName: "Hub", productLabel: "Hub", productId: PRODUCT },
      softwareVersionString: version,
    },
  });
  // Who is paired is read only when somebody asks.
  await node.env.load(FabricManager);
  return node;
}

function changesOf(place: string, attributes: Attributes, told: Map<string, string>): Attributes {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const text = JSON.stringify(value);
    if (told.get(`${place}.${name}`) === text) continue;
    told.set(`${place}.${name}`, text);
    changed[name] = value;
  }
  return changed;
}

function environmentIn({ folder, log }: Pick<MatterNodeDeps, "folder" | "log">): Environment {
  const environment = Environment.default;
  environment.vars.set("storage.path", folder);
  environment.get(StorageService).configuredDriver = "wal";
  Logger.level = LogLevel.NOTICE;
  const destination = Logger.destinations.default;
  if (destination) {
    destination.format = ({ facility, values }) => `${facility}: ${values.map(String).join(" ")}`;
    destination.write = (text, { level }) => {
      if (level >= LogLevel.ERROR) log.error({ matter: text }, "the Matter library reports an error");
      else if (level >= LogLevel.WARN) log.warn({ matter: text }, "the Matter library warns");
      else log.debug({ matter: text }, "the Matter library says");
    };
  }
  return environment;
}
