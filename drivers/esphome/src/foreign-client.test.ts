/**
 * A client of other people judges the fake device that all other tests stand on: @2colors/esphome-native-api, with messages made from ESPHome's
 * own protocol file by Google's protobuf, and its encryption from noise-c.
 */
import { Client } from "@2colors/esphome-native-api";
import { systemClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { ALL_DEVICES, BULB, PLUG } from "./devices.fixture.ts";
import { EspHomeServer } from "./esphome-server.fixture.ts";
import { KEY } from "./esphome-world.fixture.ts";
import type { FakeEntity } from "./fake-entity.fixture.ts";
import { FakeEspHome, type FakeOptions } from "./fake-esphome.fixture.ts";

interface ForeignEntity {
  readonly type: string;
  readonly name: string;
  readonly config: object;
  on(event: "state", hear: (state: Record<string, unknown>) => void): void;
  setState(state: unknown): void;
  command(options: object): void;
}

/** What its own types leave out. */
interface ForeignApi {
  readonly connection: { reconnect: boolean; readonly frameHelper: { destroy(): void } };
  readonly deviceInfo: object;
  readonly entities: Readonly<Record<string, ForeignEntity>>;
  on(event: "newEntity", hear: (entity: ForeignEntity) => void): void;
  on(event: "initialized", hear: () => void): void;
  on(event: "error", hear: (failure: Error) => void): void;
  connect(): void;
}
const Foreign = Client as unknown as new (options: object) => ForeignApi;

/** The client, connected to a fake device behind a real socket, once it has all that the device lists. */
class ForeignClient implements AsyncDisposable {
  readonly device: FakeEspHome;
  readonly client: ForeignApi;
  readonly states = new Map<string, Record<string, unknown>>();
  readonly #server: EspHomeServer;

  private constructor(device: FakeEspHome, server: EspHomeServer, key: string | undefined) {
    this.device = device;
    this.#server = server;
    this.client = new Foreign({
      ...server.endpoint,
      ...(key === undefined ? {} : { encryptionKey: key }),
      reconnect: false,
    });
    this.client.on("newEntity", (entity) => {
      entity.on("state", (state: Record<string, unknown>) => {
        this.states.set(`${entity.type} ${entity.name}`, state);
      });
    });
  }

  /** @throws what the client says is wrong */
  static async begin(
    entities: readonly FakeEntity[],
    options: FakeOptions = {},
    key = options.key,
  ): Promise<ForeignClient> {
    const device = new FakeEspHome(entities, systemClock, options);
    const one = new ForeignClient(device, await EspHomeServer.start(device), key);
    try {
      await new Promise<void>((resolve, reject) => {
        one.client.on("initialized", () => resolve());
        one.client.on("error", reject);
        one.client.connect();
      });
      return one;
    } catch (failure) {
      await one[Symbol.asyncDispose]();
      throw failure;
    }
  }

  entity(name: string) {
    const found = Object.values(this.client.entities).find((each) => each.name === name);
    if (!found) throw new Error(`the client has no ${name}`);
    return found;
  }

  /** Settles when the client has been told this. */
  async announced(entity: string, state: object): Promise<void> {
    await expect.poll(() => this.states.get(entity)).toMatchObject(state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.connection.reconnect = false;
    this.client.connection.frameHelper.destroy();
    await this.#server[Symbol.asyncDispose]();
  }
}

test.for([
  ["in plain text", {}],
  ["encrypted", { key: KEY }],
  ["in plain text, as older firmware", { api: [1, 9] }],
  ["encrypted, as older firmware", { key: KEY, api: [1, 9] }],
] as const)(
  "is connected to %s, lists what it has, reports its states, and does what it is reported",
  async ([, options]) => {
    await using one = await ForeignClient.begin(PLUG, {
      ...options,
      friendlyName: "Plug",
      project: ["athom.plug", "2.1"],
    });
    expect(one.client.deviceInfo).toMatchObject({
      ...{ name: "kitchen", macAddress: "AA:BB:CC:00:00:01", friendlyName: "Plug", projectName: "athom.plug" },
      hasDeepSleep: false,
    });
    const listed = Object.values(one.client.entities).map(({ type, name }) => `${type} ${name}`);
    expect(listed).toEqual(expect.arrayContaining(["Switch Switch", "Sensor Power", "Select Power On State"]));
    expect(one.entity("Power").config).toMatchObject({ deviceClass: "power", unitOfMeasurement: "W" });
    await one.announced("Sensor Power", { state: 115, missingState: false });
    await one.announced("Switch Switch", { state: false });
    one.entity("Switch").setState(true);
    await one.announced("Switch Switch", { state: true });
    expect(one.device.entity("switch", "Switch").state).toEqual({ state: true });
    one.device.change(one.device.entity("sensor", "Power"), { state: 57.5 });
    await one.announced("Sensor Power", { state: 57.5 });
  },
);

test("has colours, effects and choices as the client knows them", async () => {
  await using one = await ForeignClient.begin([...BULB, ...PLUG.filter(({ type }) => type === "select")], { key: KEY });
  await one.announced("Light RGBCW Bulb", {
    state: true,
    brightness: 0.5,
    colorMode: 35,
    red: 1,
    green: 0.5,
    effect: "None",
  });
  expect(one.entity("RGBCW Bulb").config).toMatchObject({
    ...{ supportedColorModesList: [11, 35], effectsList: ["Random", "Pulse"] },
  });
  one.entity("RGBCW Bulb").command({ brightness: 0.25, effect: "Pulse" });
  await one.announced("Light RGBCW Bulb", { brightness: 0.25, effect: "Pulse" });
  one.entity("Power On State").setState("Always On");
  await one.announced("Select Power On State", { state: "Always On" });
});

test("lists each of its devices so that the client understands every entity that it knows", async () => {
  const unknown = new Set(["event", "valve", "alarm_control_panel", "camera"]);
  for (const fakes of Object.values(ALL_DEVICES)) {
    const known = fakes.filter(({ type }) => !unknown.has(type));
    await using one = await ForeignClient.begin(known, { key: KEY });
    const keys = new Set(known.map(({ key }) => key));
    expect(Object.keys(one.client.entities)).toHaveLength(keys.size);
  }
});

test("refuses a wrong key, and a client without one", async () => {
  const wrong = Buffer.alloc(32, 7).toString("base64");
  await expect(ForeignClient.begin([], { key: KEY }, wrong)).rejects.toThrow(/MAC failure|key/i);
  await expect(ForeignClient.begin([], { key: KEY }, "")).rejects.toThrow();
});
