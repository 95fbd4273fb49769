/** A home with a hub and a lamp: the real tunnels and devices on a real store and a virtual clock, the hub scripted by hand. */
import { settle } from "@porchlight/shared/kernel";
import type { DeviceDescription, Value } from "@porchlight/shared/model";
import type { HubRecord } from "@porchlight/shared/tunnel";
import { type ClientPrincipal, Quotas, References } from "../access/index.ts";
import { quotaLimits } from "../config/quotas.ts";
import { cloudSettings } from "../config/settings.ts";
import type { CommandRow } from "../store/index.ts";
import { newKey, ScriptedHub, TestNode } from "../tunnels/tunnels.fixture.ts";
import { readCommand } from "./commands/command-store.ts";
import { DeviceMemory, Devices } from "./devices.ts";
import type { PropertyScope } from "./properties/set-properties.ts";

/** The limits as they are unless an operator says otherwise. */
const LIMITS = quotaLimits(cloudSettings.parse({}));

export const LAMP = "00-00-00-00-00-01";
export const BUTTON = "00-00-00-00-00-02";

const READ_WRITE = ["read", "write", "notify"] as const;

export const LAMP_SERVICES: DeviceDescription = [
  { service: "Switch", index: "0", properties: [{ property: "on", type: "boolean", access: READ_WRITE }] },
  {
    service: "LightColor",
    index: "0",
    properties: [
      { property: "hue", type: "number", unit: "deg", min: 0, max: 360, access: READ_WRITE },
      { property: "saturation", type: "number", min: 0, max: 100, access: READ_WRITE },
    ],
  },
  {
    service: "Temperature",
    index: "0",
    properties: [{ property: "celsius", type: "number", access: ["read", "notify"] }],
  },
];

export const BUTTON_SERVICES: DeviceDescription = [
  { service: "Button", index: "0", properties: [{ property: "event", type: "string", access: ["notify"] }] },
  { service: "Battery", index: "0", properties: [{ property: "percent", type: "number", access: ["read", "notify"] }] },
];

type Target = { readonly device: string; readonly service: string; readonly index: string; readonly property: string };
export const HUE: Target = { device: LAMP, service: "LightColor", index: "0", property: "hue" };
export const PRESS: Target = { device: BUTTON, service: "Button", index: "0", property: "event" };

/** A value of the hub's history. */
export function value(
  n: number,
  to: Value,
  target: Target = HUE,
  observedAt = 0,
): Extract<HubRecord, { kind: "value" }> {
  // A Value is JSON.
  return { kind: "value", n, ...target, value: to as string, observedAt, cause: "report" };
}

export interface Announcement {
  readonly edgeId: string;
  readonly services: DeviceDescription;
  readonly digest?: string;
  readonly arrival?: number;
  readonly online?: boolean;
}

export class Home implements AsyncDisposable {
  readonly testNode: TestNode;
  readonly client: ClientPrincipal;
  readonly key = newKey();
  memory: DeviceMemory;
  devices: Devices;

  private constructor(testNode: TestNode, client: ClientPrincipal, memory: DeviceMemory) {
    this.testNode = testNode;
    this.client = client;
    this.memory = memory;
    this.devices = this.#devices();
  }

  static async open(): Promise<Home> {
    const made: DeviceMemory[] = [];
    const testNode = await TestNode.open({
      listener: (deps) => {
        const memory = new DeviceMemory({ ...deps, quotas: new Quotas(LIMITS) });
        made.unshift(memory);
        return memory.hubEvents;
      },
    });
    const [memory] = made;
    if (!memory) throw new Error("no listener was asked for");
    const home = new Home(testNode, await testNode.client(), memory);
    home.#made = made;
    return home;
  }

  #made: DeviceMemory[] = [];

  /** The process of the cloud dies and another begins on the same store. */
  async restart(): Promise<void> {
    await this.devices[Symbol.asyncDispose]();
    await this.testNode.crash();
    await this.testNode.start();
    this.memory = this.#made[0] ?? this.memory;
    this.devices = this.#devices();
  }

  #devices(): Devices {
    const { store, clock, ids, log, tunnels } = this.testNode;
    return Devices.start({
      store,
      clock,
      ids,
      log,
      memory: this.memory,
      references: new References(store),
      quotas: new Quotas(LIMITS),
      hubs: { live: (id) => tunnels.registry.live(id), connection: (client) => tunnels.presence.connection(client) },
    });
  }

  /** Connects the hub, which announces and describes what it has. */
  async hub(
    announced: readonly Announcement[] = [],
    hello = {},
    client = this.client,
    key = this.key,
  ): Promise<ScriptedHub> {
    const hub = await ScriptedHub.connect(this.testNode, client, {
      key,
      hello: { inventoryDigest: `inventory of ${announced.length}`, ...hello },
    });
    await this.announce(hub, announced);
    return hub;
  }

  /** A hub with the lamp and the button. */
  lampHub(hello = {}): Promise<ScriptedHub> {
    return this.hub(
      [
        { edgeId: LAMP, services: LAMP_SERVICES },
        { edgeId: BUTTON, services: BUTTON_SERVICES },
      ],
      hello,
    );
  }

  /** Gives the edgeIds whose description the cloud wanted. */
  async announce(hub: ScriptedHub, announced: readonly Announcement[]): Promise<string[]> {
    const devices = announced.map(({ edgeId, digest = "d1", arrival = 1, online = true }) => ({
      edgeId,
      digest,
      arrival,
      online,
    }));
    const answer = await hub.ask("inventory", { digest: `inventory of ${announced.length}`, devices });
    const { wanted } = answer as { wanted: string[] };
    for (const each of announced.filter(({ edgeId }) => wanted.includes(edgeId))) await this.describe(hub, each);
    return wanted;
  }

  async describe(
    hub: ScriptedHub,
    { edgeId, services, digest = "d1", arrival = 1, online = true }: Announcement,
  ): Promise<void> {
    const about = { manufacturer: "Lumen", model: "L1", transport: "serial" };
    await hub.ask("describe", { edgeId, digest, arrival, online, about, part: 0, parts: 1, services });
  }

  async records(hub: ScriptedHub, ...records: HubRecord[]): Promise<number> {
    const answer = await hub.ask("records", { records });
    return (answer as { acknowledged: number }).acknowledged;
  }

  async deviceId(edgeId = LAMP): Promise<string> {
    const rows = await this.rows("devices");
    const row = rows.find((each) => each.edge_id === edgeId);
    if (!row) throw new Error(`${edgeId} is not there`);
    return String(row.id);
  }

  async rows(
    table: "devices" | "property_values" | "commands" | "clients" | "objects",
  ): Promise<Record<string, unknown>[]> {
    const { store } = this.testNode;
    return store.of(this.client.ecosystemId).sql.query(store.of(this.client.ecosystemId).from(table).selectAll());
  }

  /** Property events as `property=value` with the kind of their cause. */
  async changes(): Promise<string[]> {
    const events = await this.testNode.events(this.client.ecosystemId);
    return events
      .filter(({ type }) => type === "property.changed")
      .map(({ data }) => `${data.item.property}=${data.item.value} ${data.cause.kind}`);
  }

  async events(type: string) {
    return (await this.testNode.events(this.client.ecosystemId))
      .filter((event) => event.type === type)
      .map(({ data }) => data);
  }

  async scope(edgeId?: string): Promise<PropertyScope & { readonly deviceId: string }> {
    const { ecosystemId, environmentId } = this.client;
    return { ecosystemId, environmentId, deviceId: await this.deviceId(edgeId) };
  }

  get everywhere(): PropertyScope {
    const { ecosystemId, environmentId } = this.client;
    return { ecosystemId, environmentId };
  }

  /** Values of the items that a cached read gives. */
  async cached(selector: string, scope: PropertyScope = this.everywhere): Promise<unknown[]> {
    const { texts } = await this.devices.cached(scope, selector);
    const items: { value: unknown }[] = JSON.parse(`[${[...texts].join(",")}]`);
    return items.map((item) => item.value);
  }

  /** Sets the lamp's hue, or what `selector` names. */
  async set(to: Value, more: { selector?: string; waitMs?: number } = {}) {
    const scope = await this.scope();
    return this.devices.set({
      ...scope,
      selector: "LightColor.hue",
      value: to,
      waitMs: 10_000,
      tokenId: "tok_1",
      ...more,
    });
  }

  command(id: string): Promise<CommandRow | undefined> {
    return readCommand(this.testNode.store.of(this.client.ecosystemId).sql, this.client.ecosystemId, id);
  }

  async settle(): Promise<void> {
    await settle(20);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.devices[Symbol.asyncDispose]();
    await this.testNode[Symbol.asyncDispose]();
  }
}

type CommandParams = { readonly id: string; readonly value: never } & Target;

/** A lamp that obeys: it answers commands with the number `n` and what it was asked for. */
export function obey(n: number, more: Record<string, unknown> = {}) {
  return ({ id, value, device, service, index, property }: CommandParams) => ({
    kind: "result",
    n,
    command: id,
    device,
    service,
    index,
    property,
    requested: value,
    outcome: "confirmed",
    value,
    observedAt: 0,
    ...more,
  });
}

/** One that never answers. */
export const silence = () => new Promise<never>(() => undefined);
