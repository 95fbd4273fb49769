import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { LONGEST_TURN_MS, longestTurn } from "@porchlight/driver-kit/turn-meter.fixture.ts";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { StreamText } from "./bridge/open-bridge.ts";
import type { Resource } from "./bridge/resource.ts";
import { HueDriver } from "./hue-driver.ts";
import { paired } from "./hue-world.fixture.ts";
import { MemoryBridge } from "./memory-bridge.fixture.ts";

const range = (length: number) => Array.from({ length }, (_, at) => at);
const light = (id: string): Resource => ({
  ...{
    id,
    type: "light",
    owner: { rid: `device ${id}`, rtype: "device" },
    on: { on: true },
    dimming: { brightness: 50 },
  },
  color_temperature: { mirek: 300, mirek_valid: true, mirek_schema: { mirek_minimum: 153, mirek_maximum: 500 } },
});
const owner = (id: string, services: readonly string[], type = "device"): Resource => ({
  ...{ id, type, metadata: { name: id }, product_data: { model_id: "m" } },
  services: services.map((rid) => ({ rid, rtype: "light" })),
});
const lamps = (count: number) => range(count).flatMap((at) => [light(`l${at}`), owner(`device l${at}`, [`l${at}`])]);
const scene = (at: number): Resource => ({
  id: `s${at}`,
  type: "scene",
  metadata: { name: `Scene ${at}` },
  group: { rid: "room 0", rtype: "room" },
});
const updates = (count: number, of: (at: number) => object) =>
  JSON.stringify(
    range(Math.ceil(count / 1000)).map((part) => ({
      type: "update",
      data: range(1000).map((at) => of(part * 1000 + at)),
    })),
  );

const HOSTILE: readonly (readonly [string, () => readonly Resource[], () => readonly string[]])[] = [
  ["200 lamps", () => lamps(200), () => []],
  ["5,000 lamps", () => lamps(5000), () => []],
  [
    "1,500 rooms, and 2,000 scenes of one",
    () => [...range(1500).map((at) => owner(`room ${at}`, [], "room")), ...range(2000).map(scene)],
    () => [],
  ],
  [
    "a device with very many services",
    () => [
      light("l0"),
      owner(
        "device l0",
        range(20_000).map(() => "l0"),
      ),
    ],
    () => [],
  ],
  [
    "3,000 updates in one message",
    () => lamps(200),
    () => [updates(3000, (at) => ({ id: `l${at % 200}`, type: "light", on: { on: at % 2 === 0 } }))],
  ],
  [
    "3,000 devices that are renamed in one message",
    () => lamps(200),
    () => [updates(3000, (at) => ({ id: `device l${at % 200}`, type: "device", metadata: { name: `n${at}` } }))],
  ],
  ["very many events without data", () => lamps(1), () => [`[${range(18_000).map(() => '{"type":"a"}')}]`]],
  ["very many empty objects", () => lamps(1), () => [`[${range(80_000).map(() => "{}")}]`]],
  [
    "messages that are nested without end",
    () => lamps(1),
    () => ["[".repeat(250_000), `${"[".repeat(120_000)}${"]".repeat(120_000)}`],
  ],
  [
    "2,000 messages at once",
    () => lamps(200),
    () =>
      range(2000).map((at) =>
        JSON.stringify([{ type: "update", data: [{ id: `l${at % 200}`, type: "light", on: { on: true } }] }]),
      ),
  ],
];

describe("no turn of the loop is long", () => {
  test.for(HOSTILE)("while a bridge sends %s", async ([, resources, messages]) => {
    const most = await longestTurn(async () => {
      const clock = new VirtualClock();
      const bridge = new MemoryBridge(clock, resources());
      const away = () => Promise.reject(new Error("away"));
      const driver = await HueDriver.start({
        ...{
          clock,
          random: seededRandom(1),
          log: silentLog,
          host: new FakeHost(clock),
          store: paired("001788FFFEAABBCC"),
        },
        ...{
          bridges: [],
          admit: { all: true, edgeIds: new Set() },
          pairing: { facts: away, askKey: away },
          open: () => bridge.open,
        },
      });
      await clock.advance(2000);
      await settle(200);
      const stream = new StreamText((message) => bridge.say(message));
      for (const each of messages()) stream.feed(Buffer.from(`data: ${each}\n\n`));
      await settle(1000);
      await clock.until(driver[Symbol.asyncDispose](), 60_000);
    });
    expect(most).toBeLessThan(LONGEST_TURN_MS);
  });
});
