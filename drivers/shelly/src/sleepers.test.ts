/** Devices that sleep: a sensor as Shelly's documentation describes one, which calls the hub when it wakes. */
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "../../../test/parts/free-port.ts";
import { type Captured, RELAYS } from "./captured.fixture.ts";
import { ShellyHome } from "./shelly-home.fixture.ts";
import { listenOn } from "./web-socket.ts";

const TWO_HOURS_MS = 7_200_000;
/** Shelly H&T Gen3. */
const SENSOR: Captured = {
  info: { ...RELAYS.info, id: "shellyhtg3-aabbcc00000d", mac: "AABBCC00000D", app: "HTG3", model: "S3SN-0U12A" },
  config: { "temperature:0": { id: 0 }, "humidity:0": { id: 0 }, sys: { sleep: { wakeup_period: 7200 } } },
  status: {
    "temperature:0": { id: 0, tC: 19.9 },
    "humidity:0": { id: 0, rh: 44 },
    "devicepower:0": { id: 0, battery: { V: 5.9, percent: 87 } },
    sys: { wakeup_period: 7200 },
  },
};

async function home(options: Parameters<ShellyHome["start"]>[0] = {}) {
  const one = new ShellyHome();
  const sensor = one.add("192.0.2.1", SENSOR);
  one.network.conceal(sensor);
  await one.start({ listen: one.network.listen, ...options });
  return Object.assign(one, { sensor });
}

describe("a device that sleeps", () => {
  test("is online when it has called, with its values, and while it sleeps again", async () => {
    await using one = await home();
    const { sensor } = one;
    expect(one.driver.has(sensor.edgeId)).toBe(false);
    const hangUp = one.network.call(sensor);
    await one.pass(1000);
    expect(one.host.learnings.map(({ service, value }) => [service, value])).toEqual(
      expect.arrayContaining([
        ["Temperature", 19.9],
        ["Humidity", 44],
        ["Battery", 87],
      ]),
    );
    hangUp();
    await one.pass(TWO_HOURS_MS);
    expect(one.driver.has(sensor.edgeId)).toBe(true);
    expect(one.driver.status().devices).toMatchObject({ live: 1, asleep: 1 });
  });

  test("is asked while it is awake, and reported in words while it sleeps: nothing was sent", async () => {
    await using one = await home();
    const { sensor } = one;
    const hangUp = one.network.call(sensor);
    await one.pass(1000);
    expect(await one.read(sensor, "Temperature:0.celsius")).toEqual({ kind: "value", value: 19.9 });
    hangUp();
    await one.pass(0);
    const asked = await one.read(sensor, "Temperature:0.celsius");
    expect(asked).toMatchObject({ outcome: "not_applied", detail: expect.stringContaining("asleep") });
  });

  test("is gone after the time in which it wakes now, not the one in which it woke at first", async () => {
    await using one = await home();
    const { sensor } = one;
    const first = one.network.call(sensor);
    await one.pass(1000);
    first();
    sensor.status.sys = { wakeup_period: 600 };
    const hangUp = one.network.call(sensor);
    await one.pass(1000);
    hangUp();
    await one.pass(2 * 600_000 + 50_000);
    expect(one.driver.has(sensor.edgeId)).toBe(true);
    await one.pass(20_000);
    expect([one.driver.has(sensor.edgeId), one.host.story.at(-1)]).toEqual([false, `left ${sensor.edgeId}`]);
  });

  test("reports what has changed when it wakes, also when it sleeps before it can be asked", async () => {
    await using one = await home();
    const { sensor } = one;
    one.network.call(sensor)();
    await one.pass(0);
    const hangUp = one.network.call(sensor);
    await one.pass(1000);
    hangUp();
    await one.pass(TWO_HOURS_MS);
    sensor.status["temperature:0"] = { id: 0, tC: 17.5 };
    const again = one.network.call(sensor);
    await Promise.resolve();
    sensor.isSilent = true;
    again();
    await one.pass(0);
    const same = ["Battery:0.percent 87", "Battery:0.volts 5.9", "Humidity:0.percent 44"];
    expect(one.reports.toSorted(), "what is as it was is told too: it is of now").toEqual([
      ...same,
      "Temperature:0.celsius 17.5",
    ]);
  });

  test("is gone when it has missed two wakes, and back when it calls", async () => {
    await using one = await home();
    const { sensor } = one;
    const hangUp = one.network.call(sensor);
    await one.pass(1000);
    hangUp();
    await one.pass(2 * TWO_HOURS_MS + 61_000);
    expect([one.driver.has(sensor.edgeId), one.host.live.size]).toEqual([false, 0]);
    one.network.call(sensor);
    await one.pass(1000);
    expect(one.driver.has(sensor.edgeId)).toBe(true);
  });

  test("that is not admitted is listed when it has called, and its channel is closed", async () => {
    await using one = await home({ admit: { all: false, edgeIds: new Set() } });
    const { sensor } = one;
    one.network.call(sensor);
    await one.pass(1000);
    expect(one.driver.found()).toMatchObject([{ edgeId: sensor.edgeId, admission: "not_admitted" }]);
    expect([one.driver.has(sensor.edgeId), one.network.channelsOf(sensor)]).toEqual([false, 0]);
  });

  test("is not kept connected when it is found awake: where the hub does not listen, its status states what to do", async () => {
    await using one = new ShellyHome();
    const sensor = one.add("192.0.2.1", SENSOR);
    await one.start();
    expect([one.driver.has(sensor.edgeId), one.network.channelsOf(sensor)]).toEqual([false, 0]);
    expect(one.driver.status().troubles).toMatchObject([
      { why: "sleeps", cure: expect.stringContaining("drivers.shelly.listen") },
    ]);
  });

  test("that calls twice at once stays awake as long as one of its channels stands", async () => {
    await using one = await home();
    const { sensor } = one;
    const first = one.network.call(sensor);
    await one.pass(1000);
    one.network.call(sensor);
    await one.pass(1000);
    first();
    await one.pass(0);
    expect(await one.read(sensor, "Humidity:0.percent")).toEqual({ kind: "value", value: 44 });
  });

  test("of another name than it has is ignored: a device that does not sleep, or that a line has", async () => {
    await using one = await home();
    const relays = one.add("192.0.2.2", RELAYS);
    await one.pass(1000);
    one.network.call(relays);
    await one.pass(1000);
    expect([one.network.channelsOf(relays), one.host.arrivals.length]).toEqual([1, 1]);
  });

  test("leaves nothing behind when the driver ends", async () => {
    await using one = await home();
    one.network.call(one.sensor);
    await one.pass(1000);
    await one[Symbol.asyncDispose]();
    expect([one.network.held, one.clock.pending(), one.host.live.size]).toEqual([0, [], 0]);
  });
});

test("a hub that cannot listen reports the reason and keeps its other devices", async () => {
  await using one = new ShellyHome();
  const relays = one.add("192.0.2.2", RELAYS);
  await one.start({ listen: () => Promise.reject(new Error("listen EADDRINUSE")) });
  expect(one.driver.has(relays.edgeId)).toBe(true);
  expect(one.driver.problem()).toContain("EADDRINUSE");
});

test("a real server hears each call, bounds how many there are at once, and ends them with itself", async () => {
  const port = await freePort();
  const heard = Promise.withResolvers<string>();
  const events = { text: heard.resolve, pong: () => undefined, closed: () => undefined };
  const server = await listenOn({ host: "127.0.0.1", port })((open) => void open(events));
  await expect(listenOn({ host: "127.0.0.1", port })(() => undefined)).rejects.toThrow("EADDRINUSE");
  const sockets = Array.from({ length: 65 }, () => new WebSocket(`ws://127.0.0.1:${port}`));
  const over = sockets.map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve())));
  for (const socket of sockets) socket.on("error", () => undefined);
  sockets[0]?.once("open", () => sockets[0]?.send("a call"));
  expect(await heard.promise).toBe("a call");
  await Promise.race(over);
  await server[Symbol.asyncDispose]();
  await Promise.all(over);
});
