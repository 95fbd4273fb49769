/** What devices do of themselves, as their files say it: time passes on a clock that stands still until a test moves it. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { addressKey, type Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { readDefinitions } from "./read-definitions.ts";
import { SimulatedDevice } from "./simulated-device.ts";

const ID = "02-50-4C-51-00-01";
const file = (kind: string, behaviour: string) =>
  `nodes: [{edgeId: ${ID}, devices: [{edgeId: ${ID}, kind: ${kind}, behaviour: ${behaviour}}]}]`;

function living(kind: string, behaviour: string, seed = 1) {
  const read = readDefinitions(file(kind, behaviour));
  const definition = read.kind === "ok" ? read.nodes[0]?.devices[0] : undefined;
  if (!definition) throw new Error(JSON.stringify(read));
  const clock = new VirtualClock();
  const reported: [string, Value][] = [];
  const device = SimulatedDevice.start({
    definition,
    clock,
    random: seededRandom(seed),
    tell: (_, address, value) => reported.push([addressKey(address), value]),
  });
  return { clock, device, reported };
}

const at = (service: string, property: string) => ({ service, index: "0", property });
const HOUR = 3_600_000;

describe("a lamp that fades", () => {
  const dimmer = () => living("colour-light", "[{fade: {property: LightLevel.level, seconds: 2}}]");

  test("reports its position on its way, and arrives", async () => {
    const { clock, device, reported } = dimmer();
    expect(device.apply(at("LightLevel", "level"), 50)).toBe(50);
    expect(device.read("LightLevel.level")).toBe(100);
    await clock.advance(5000);
    expect(reported.map(([, value]) => value)).toEqual([87.5, 75, 62.5, 50]);
  });

  test("leaves off when a hand turns it", async () => {
    const { clock, device } = dimmer();
    device.apply(at("LightLevel", "level"), 0);
    await clock.advance(250);
    device.turn("LightLevel.level", 30);
    await clock.advance(5000);
    expect(device.read("LightLevel.level")).toBe(30);
  });
});

describe("a thermostat in a room", () => {
  test("warms the room to its target and keeps it there", async () => {
    const room = "room: {outside: 0, halfHours: 4, perHour: 8, heating: Thermostat.activity}";
    const { clock, device } = living("thermostat", `[{${room}}]`);
    device.apply(at("Thermostat", "target"), 24);
    await clock.advance(4 * HOUR);
    for (let round = 0; round < 20; round++) {
      expect(Math.abs(Number(device.read("Temperature.celsius")) - 24)).toBeLessThan(0.3);
      await clock.advance(600_000);
    }
    device.apply(at("Thermostat", "mode"), "off");
    await clock.advance(4 * HOUR);
    expect(Number(device.read("Temperature.celsius"))).toBeCloseTo(12, 0);
  });
});

describe("a battery", () => {
  test("drains while its condition holds, ends at nothing, and reports in time that it is low", async () => {
    const { clock, device, reported } = living(
      "lock",
      "[{drain: {hours: 10, while: {Lock.locked: true}}}, {follow: {property: Battery.low, of: Battery.percent, below: 15}}]",
    );
    await clock.advance(HOUR);
    expect(device.read("Battery.percent")).toBe(83);
    device.turn("Lock.locked", false);
    await clock.advance(5 * HOUR);
    expect(device.read("Battery.percent")).toBe(83);
    device.turn("Lock.locked", true);
    await clock.advance(20 * HOUR);
    expect(device.read("Battery.percent")).toBe(0);
    const before = reported
      .slice(
        0,
        reported.findIndex(([key]) => key === "Battery:0.low"),
      )
      .at(-1);
    expect(before).toEqual(["Battery:0.percent", 14]);
  });
});

describe("a person", () => {
  test("presses about as often as the file states, the same for the same seed", async () => {
    const day = async (seed: number) => {
      const { clock, reported } = living("button", "[{person: {seconds: 60, does: [press Button.event long]}}]", seed);
      const instants: number[] = [];
      for (let minute = 0; minute < 600; minute++) {
        await clock.advance(60_000);
        instants.push(reported.length);
      }
      return instants;
    };
    const first = await day(1);
    expect(first.at(-1)).toBeGreaterThan(500);
    expect(first.at(-1)).toBeLessThan(700);
    expect([await day(1), await day(2)]).toEqual([first, expect.not.arrayContaining(first)]);
  });
});

test("a motion sensor comes to rest half a minute after the last motion", async () => {
  const { clock, device } = living("motion-sensor", "[]");
  device.turn("Motion.detected", true);
  await clock.advance(29_999);
  expect(device.read("Motion.detected")).toBe(true);
  await clock.advance(1);
  expect(device.read("Motion.detected")).toBe(false);
});

test("a plug's power follows its switch, and its meter counts", async () => {
  const { clock, device } = living(
    "plug",
    "[{count: {property: Electricity.energy, of: Electricity.watts, perHour: 0.001}}]",
  );
  device.apply(at("Switch", "on"), true);
  await clock.advance(10 * HOUR);
  expect([device.read("Electricity.watts"), device.read("Electricity.energy")]).toEqual([60, 13.1]);
});

test("a day is dark at its beginning and bright in its middle", async () => {
  const { clock, device } = living("light-sensor", "[{wave: {property: Illuminance.lux, between: [0, 5000]}}]");
  await clock.advance(60_000);
  expect(device.read("Illuminance.lux")).toBe(0);
  await clock.advance(12 * HOUR);
  expect(Number(device.read("Illuminance.lux"))).toBeGreaterThan(4990);
});

test("two properties that follow each other for ever do not hang the simulator", () => {
  const chase = (property: string, of: string) => `{follow: {property: ${property}, of: ${of}, times: 1.01}}`;
  const { device } = living(
    "climate-sensor",
    `[${chase("Humidity.percent", "Pressure.hectopascal")}, ${chase("Pressure.hectopascal", "Humidity.percent")}]`,
  );
  device.turn("Humidity.percent", 50);
  expect(Number(device.read("Humidity.percent"))).toBeGreaterThan(49);
});

test.each([
  ["[{fdae: {}}]", 'did you mean "fade"?'],
  ["[{fade: {property: Switch.on, seconds: 2}}]", "Switch.on has no range"],
  ["[{fade: {property: LightLevel.level, second: 2}}]", 'did you mean "seconds"?'],
  ["[{fade: {property: LightLevel.levle, seconds: 2}}]", 'did you mean "LightLevel:0.level"?'],
  ["[{person: {seconds: 2, does: [tuggle Switch.on]}}]", 'did you mean "toggle"?'],
  ["[{person: {seconds: 2, does: [set Switch.on maybe]}}]", "Switch.on"],
  ["[{back: {property: LightLevel.level, to: 101, seconds: 2}}]", "at most 100"],
  ["[{drain: {hours: 1}}]", "Battery.percent"],
  ["[{follow: {property: LightLevel.level, of: Switch.on}}]", "values, times, below and above"],
  ["[{back: {property: Switch.on, to: false, seconds: 1}, person: {seconds: 1, does: [toggle Switch.on]}}]", "one key"],
])("%s is refused, and its mistake named", (behaviour, sentence) => {
  const read = readDefinitions(file("colour-light", behaviour));
  expect(read.kind === "problems" ? read.problems.join("\n") : "").toContain(sentence);
});
