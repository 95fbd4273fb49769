/**
 * What the client of esphome-client 2.0.0 does by itself, where that is not what a hub needs: each shortfall of docs/adr/0025 with its proof. A
 * test that fails after an update says that the library does better now. Its Noise, its codec and its tables are what the driver uses.
 */
import { systemClock } from "@porchlight/shared/kernel";
import { EspHomeClient, type EspHomeClientOptions, entityId } from "esphome-client";
import { afterEach, expect, test, vi } from "vitest";
import { EspHomeServer } from "./esphome-server.fixture.ts";
import { KEY } from "./esphome-world.fixture.ts";
import { commandIn, type FakeEntity, fakeEntity, listing } from "./fake-entity.fixture.ts";
import { FakeEspHome, type FakeOptions } from "./fake-esphome.fixture.ts";

afterEach(() => void vi.restoreAllMocks());

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** The library's client, connected to a device with these entities. */
class Connected implements AsyncDisposable {
  readonly device: FakeEspHome;
  readonly client: EspHomeClient;
  readonly #server: EspHomeServer;

  private constructor(device: FakeEspHome, server: EspHomeServer, client: EspHomeClient) {
    this.device = device;
    this.client = client;
    this.#server = server;
  }

  static async begin(
    entities: readonly FakeEntity[],
    fake: FakeOptions = {},
    options: Partial<EspHomeClientOptions> = {},
    password?: string,
  ): Promise<Connected> {
    const device = new FakeEspHome(entities, systemClock, fake);
    device.password = password;
    const server = await EspHomeServer.start(device);
    const given = { ...server.endpoint, logger: quiet, reconnect: false, keepAlive: false, ...options } as const;
    const client = new EspHomeClient(given);
    const one = new Connected(device, server, client);
    await client.connect();
    return one;
  }

  /** What the device has sent has come. */
  async caughtUp(): Promise<void> {
    const answered = this.client.once("heartbeat");
    this.client.sendPing();
    await answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.disconnect();
    await this.#server[Symbol.asyncDispose]();
  }
}

const pump = (part: number) => fakeEntity("switch", "Pump", { state: false }, {}, part);

test("goes on in plain text, with a key, when the device reports that it does not encrypt", async () => {
  await using one = await Connected.begin([], {}, { psk: KEY });
  expect(one.client.isEncrypted).toBe(false);
});

test("reads the state of one entity as that of another, where two types have one name and so one key", async () => {
  const motion = [
    fakeEntity("binary_sensor", "Motion", { state: false }),
    fakeEntity("sensor", "Motion", { state: 7 }),
  ];
  await using one = await Connected.begin(motion);
  await one.caughtUp();
  const reported: unknown[] = [];
  one.client.on("telemetry", ({ type }) => reported.push(type));
  one.device.change(one.device.entity("binary_sensor", "Motion"), { state: true });
  await one.caughtUp();
  expect(reported).toEqual(["sensor"]);
});

test("sends a command to another part of the device, where two parts have an entity of one name", async () => {
  await using one = await Connected.begin([pump(1), pump(2)]);
  const seen: (number | undefined)[] = [];
  const { take } = one.device;
  vi.spyOn(one.device, "take").mockImplementation((message) => {
    seen.push(commandIn(message, one.device.entities)?.entity.deviceId);
    take.call(one.device, message);
  });
  for (const { objectId } of one.client.getEntitiesWithIds())
    one.client.command(entityId("switch", objectId), { state: true });
  await one.caughtUp();
  expect(seen, "the first part is never reached").toEqual([2, 2]);
});

test("has no way to ask for the states again", async () => {
  await using one = await Connected.begin([pump(0)]);
  await one.caughtUp();
  expect(one.device.asked).toBe(1);
  const methods = Object.getOwnPropertyNames(EspHomeClient.prototype);
  expect(methods.filter((name) => /states/i.test(name))).toEqual([]);
});

test("keeps as many entities as a device cares to list, also one that it lists again and again", async () => {
  await using one = await Connected.begin([pump(0)]);
  for (let at = 0; at < 2000; at++) for (const each of one.device.connections) each.send(listing(pump(0), true));
  await one.caughtUp();
  expect(one.client.getEntitiesWithIds().length).toBe(2001);
});

test("does not notice that older firmware has refused its password", async () => {
  await using one = await Connected.begin([], { api: [1, 9] }, {}, "under the mat");
  expect(one.client.deviceInfo()?.name).toBe("kitchen");
});

test("spells out every message that it does not know, however long", async () => {
  const warned: string[] = [];
  const logger = { ...quiet, warn: (text: string) => void warned.push(text) };
  await using one = await Connected.begin([], {}, { logger });
  for (const each of one.device.connections) each.send({ type: 9999, body: Buffer.alloc(50_000) });
  await one.caughtUp();
  expect(warned.at(-1)?.length).toBeGreaterThan(100_000);
});

test("waits on the process's timers, which no clock of ours can move", async () => {
  const waits = vi.spyOn(AbortSignal, "timeout");
  await using one = await Connected.begin([], {}, { clock: () => 0 });
  expect(one.client.isEncrypted).toBe(false);
  expect(waits.mock.calls.length).toBeGreaterThan(0);
});
