/**
 * The bridge as a Matter node: root, aggregator, and the devices under it. Only the files of this folder use the library.
 *
 * Invariants: an endpoint gets the current values, never an older state after a newer one; a controller gets success only after the hub
 * has confirmed the command.
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
import { type ShownDevice, shapeOf } from "../families/index.ts";
import type { PairingInfo } from "../pairing/tell-hub.ts";
import type { Attributes, Happening } from "../parts/part.ts";
import type { Identity } from "../store/identities.ts";
import { type Acting, ShownBehaviors } from "./behaviors.ts";
import { type BuiltDevice, buildDevice, informationOf } from "./endpoint-of.ts";
import { setLibraryTime } from "./library-time.ts";

export interface MatterNodeDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Folder of the library's storage. */
  readonly folder: string;
  readonly port: number;
  readonly version: string;
  /** Returns the handler of requests to a device's part. */
  readonly actingFor: (deviceId: string, part: number) => Acting;
  /** Called when the library has restarted, such as after the last controller was removed; all devices must be presented again. */
  readonly renewed: () => void;
  /** Called when a controller was added or removed, or the pairing codes have changed. */
  readonly pairingChanged: () => void;
}

/** Vendor ID for tests; only members of the Connectivity Standards Alliance get their own. */
const VENDOR = 0xfff1;
const PRODUCT = 0x8000;
const AGGREGATOR = 0x0e;
const NAME = "Porchlight";

interface Shown extends BuiltDevice {
  readonly shape: string;
  readonly identity: Identity;
  /** Last attribute values set, as JSON, by `ENDPOINT.CLUSTER.ATTRIBUTE`. */
  readonly reported: Map<string, string>;
}

export class MatterNode implements AsyncDisposable {
  readonly #deps: MatterNodeDeps;
  readonly #node: ServerNode;
  readonly #aggregator: Endpoint;
  readonly #behaviors: ShownBehaviors;
  readonly #shown = new Map<string, Shown>();
  readonly #places = new WeakMap<Endpoint, { readonly deviceId: string; readonly part: number }>();
  #isOpen = false;
  /** Runs the changes of a device's endpoints one after another. */
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

  /** Creates the node; {@link open} puts it on the network. */
  static async start(deps: MatterNodeDeps): Promise<MatterNode> {
    setLibraryTime(deps.clock);
    const environment = environmentIn(deps);
    let node = await nodeIn(environment, deps);
    if (node.state.commissioning.commissioned && node.env.get(FabricManager).fabrics.length === 0) {
      // After an aborted pairing the library considers itself paired, without a controller, and offers no pairing code.
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

  /** Reports nothing before the node is open, because no controller can pair until then. */
  #pairingChanged(): void {
    if (this.#isOpen) this.#deps.pairingChanged();
  }

  /** The library has reset its attributes to their initial values, so all are sent again. */
  #begunAnew(): void {
    for (const { reported } of this.#shown.values()) reported.clear();
    this.#deps.renewed();
    this.#pairingChanged();
  }

  /** Joins the network with the devices added so far. @throws Error when it cannot, for example when the port is in use */
  async open(): Promise<void> {
    this.#node.lifecycle.online.on(() => this.#begunAnew());
    // Stores the subscriptions for the next start. By default the library loads this server only when it is already paired at the start.
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

  /** Number of devices presented. */
  get size(): number {
    return this.#shown.size;
  }

  /** Adds a device, or updates its changed attributes. */
  show(device: ShownDevice, identity: Identity): Promise<void> {
    return this.#queue.run(device.id, async () => {
      const shown = this.#shown.get(device.id);
      if (shown?.shape === shapeOf(device.shownAs)) return await this.#tell(shown, device);
      if (shown) await this.#remove(device.id, shown);
      await this.#add(device, identity);
    });
  }

  /** Removes a device that is gone or no longer chosen. */
  hide(deviceId: string): Promise<void> {
    return this.#queue.run(deviceId, async () => {
      const shown = this.#shown.get(deviceId);
      if (shown) await this.#remove(deviceId, shown);
    });
  }

  /** Emits a cluster's event, such as a button press. */
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
    this.#shown.set(device.id, { ...built, shape: shapeOf(device.shownAs), identity, reported: new Map() });
    this.#deps.log.info({ deviceId: device.id, endpoint: identity.number, name: device.name }, "a device is shown");
    this.#pairingChanged();
  }

  async #remove(deviceId: string, { root }: Shown): Promise<void> {
    this.#shown.delete(deviceId);
    await root.delete();
    this.#deps.log.info({ deviceId }, "a device is shown no more");
    this.#pairingChanged();
  }

  /** Sets only changed attributes, because each one set makes the library check every subscription. */
  async #tell({ all, root, identity, reported }: Shown, device: ShownDevice): Promise<void> {
    for (const { endpoint, clusters } of all) {
      const now: (readonly [cluster: string, attributes: Attributes])[] = clusters.map(({ cluster, attributes }) => {
        return [cluster, attributes(device.values)];
      });
      if (endpoint === root) now.push(["bridgedDeviceBasicInformation", informationOf(device, identity)]);
      const news = now.flatMap(([cluster, attributes]) => {
        const changed = changesOf(`${endpoint.number}.${cluster}`, attributes, reported);
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
  // The library loads the paired controllers only on first use.
  await node.env.load(FabricManager);
  return node;
}

function changesOf(place: string, attributes: Attributes, reported: Map<string, string>): Attributes {
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const text = JSON.stringify(value);
    if (reported.get(`${place}.${name}`) === text) continue;
    reported.set(`${place}.${name}`, text);
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
