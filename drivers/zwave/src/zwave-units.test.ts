/** Numbers and their units, which the server reports as two events: no number is reported in a unit that is not its own. */
import { describe, expect, test } from "vitest";
import { type NodeJson, valueJson } from "./captured-nodes.fixture.ts";
import { ZwaveHome, zwaveEdgeId } from "./zwave-home.fixture.ts";
import { plug } from "./zwave-world.fixture.ts";

type Row = Parameters<typeof valueJson>[0];
type Id = Parameters<ZwaveHome["zwave"]["change"]>[1];

const NODE = 5;
const sensor = (property: string, sensorType: number, scale: number, unit: string, raw: unknown): Row => [
  ...([49, 0, property, null, "number", "r", { unit, ccSpecific: { sensorType, scale } }, raw] as const),
];

interface Case {
  readonly row: Row;
  readonly key: string;
  /** In the first unit, and what it is. */
  readonly before: readonly [raw: number, value: number];
  readonly other: { readonly unit: string; readonly ccSpecific?: object };
  /** In the other unit, and what it is. */
  readonly after: readonly [raw: number, value: number];
}

const CASES: readonly Case[] = [
  {
    ...{ row: sensor("Air temperature", 1, 0, "°C", 20), key: "Temperature:0.celsius", before: [21, 21] },
    ...{ other: { unit: "°F", ccSpecific: { sensorType: 1, scale: 1 } }, after: [68, 20] },
  },
  {
    ...{ row: sensor("Air temperature", 1, 1, "°F", 68), key: "Temperature:0.celsius", before: [50, 10] },
    ...{ other: { unit: "°C", ccSpecific: { sensorType: 1, scale: 0 } }, after: [11, 11] },
  },
  {
    ...{ row: sensor("Barometric pressure", 9, 0, "kPa", 101), key: "Pressure:0.hectopascal", before: [101.3, 1013] },
    ...{ other: { unit: "inHg", ccSpecific: { sensorType: 9, scale: 1 } }, after: [29.92, 1013.208] },
  },
  {
    ...{ row: sensor("Voltage", 15, 0, "V", 230), key: "Electricity:0.volts", before: [231, 231] },
    ...{ other: { unit: "mV", ccSpecific: { sensorType: 15, scale: 1 } }, after: [229_000, 229] },
  },
  {
    ...{ row: sensor("Water temperature", 23, 0, "°C", 40), key: "Readings:0.waterTemperature", before: [41, 41] },
    ...{ other: { unit: "°F", ccSpecific: { sensorType: 23, scale: 1 } }, after: [104, 104] },
  },
];

function idOf([commandClass, endpoint, property, propertyKey]: Row): Id {
  return { commandClass, endpoint, property, ...(propertyKey !== null && { propertyKey }) };
}

async function homeWith(...rows: readonly Row[]) {
  const home = new ZwaveHome();
  const node: NodeJson = { ...plug(NODE), status: 1, isListening: false, values: rows.map(valueJson) };
  home.zwave.add(node);
  await home.start();
  await home.pass(5000);
  const rescale = ([commandClass, endpoint, property, propertyKey]: Row, other: object) => {
    const id = idOf([commandClass, endpoint, property, propertyKey, "number", "r", {}]);
    const args = { ...id, metadata: { type: "number", readable: true, writeable: false, ...other } };
    home.zwave.event({ source: "node", event: "metadata updated", nodeId: NODE, args });
  };
  return { home, rescale, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}

describe.for(CASES)("$row.2 ($row.6.unit, then $other.unit)", ({ row, key, before, other, after }) => {
  const reported = (value: unknown) => `${key} ${JSON.stringify(value)}`;
  const open = async () => {
    const one = await homeWith(row);
    one.home.zwave.change(NODE, idOf(row), before[0]);
    await one.home.pass(1000);
    expect(one.home.reports).toEqual([reported(before[1])]);
    return one;
  };

  test("is right from the first number on, when the unit comes just before it", async () => {
    await using one = await open();
    one.rescale(row, other);
    one.home.zwave.change(NODE, idOf(row), after[0]);
    await one.home.pass(2000);
    expect(one.home.reports).toEqual([before[1], after[1]].map(reported));
  });

  test.for([1, 19, 20])("is right when the unit comes %d ms before or after the number", async (ms) => {
    for (const isUnitFirst of [true, false]) {
      await using one = await open();
      const steps = [() => one.rescale(row, other), () => one.home.zwave.change(NODE, idOf(row), after[0])];
      for (const step of isUnitFirst ? steps : steps.toReversed()) {
        step();
        await one.home.pass(ms);
      }
      await one.home.pass(2000);
      expect(one.home.reports).toEqual([before[1], after[1]].map(reported));
    }
  });

  test("has no value from the new unit on until a number comes", async () => {
    await using one = await open();
    one.rescale(row, other);
    await one.home.pass(60_000);
    expect(one.home.reports).toEqual([before[1], null].map(reported));
    one.home.zwave.change(NODE, idOf(row), after[0]);
    await one.home.pass(1000);
    expect(one.home.reports).toEqual([before[1], null, after[1]].map(reported));
  });

  test("is right when an old number came just before the new unit and the new number follows it", async () => {
    await using one = await open();
    one.home.zwave.change(NODE, idOf(row), before[0]);
    await one.home.pass(15);
    one.rescale(row, other);
    await one.home.pass(15);
    one.home.zwave.change(NODE, idOf(row), after[0]);
    await one.home.pass(1000);
    expect(one.home.reports).toEqual([before[1], after[1]].map(reported));
  });
});

test("a reading in its device's own unit is described in the new unit before the number is reported in it", async () => {
  const row = sensor("Water temperature", 23, 0, "°C", 40);
  await using one = await homeWith(row);
  one.rescale(row, { unit: "°F", ccSpecific: { sensorType: 23, scale: 1 } });
  one.home.zwave.change(NODE, idOf(row), 104);
  await one.home.pass(110);
  const from = one.home.host.story.indexOf(`described ${zwaveEdgeId(NODE)}`);
  expect(one.home.host.story.slice(from)).toEqual([
    ...[`described ${zwaveEdgeId(NODE)}`, "reported Readings.waterTemperature 104"],
  ]);
  const [service] = one.home.host.descriptions.get(zwaveEdgeId(NODE)) ?? [];
  expect(service?.properties).toMatchObject([{ property: "waterTemperature", unit: "°F" }]);
});

test("a number that comes again and again within the wait is reported nevertheless", async () => {
  const row = sensor("Voltage", 15, 0, "V", 230);
  await using one = await homeWith(row);
  for (let at = 0; at < 60; at++) {
    one.home.zwave.change(NODE, idOf(row), 200 + at);
    await one.home.pass(50);
  }
  expect(one.home.reports.length).toBeGreaterThanOrEqual(2);
  await one.home.pass(200);
  expect(one.home.reports.at(-1)).toBe("Electricity:0.volts 259");
});

describe("a thermostat that changes its scale", () => {
  const SETPOINT: Row = [67, 0, "setpoint", 1, "number", "rw", { unit: "°C", ccSpecific: { setpointType: 1 } }, 21];
  const awake = async () => {
    const one = await homeWith(SETPOINT);
    one.home.zwave.state(NODE, { status: 2 }, "wake up");
    return one;
  };

  test("has its target in °C all the time", async () => {
    await using one = await awake();
    one.rescale(SETPOINT, { unit: "°F", ccSpecific: { setpointType: 1 } });
    one.home.zwave.change(NODE, idOf(SETPOINT), 70);
    await one.home.pass(2000);
    expect(one.home.reports).toEqual(["Thermostat:0.target 21.1"]);
  });

  test("is set in the scale that it has now", async () => {
    await using one = await awake();
    one.rescale(SETPOINT, { unit: "°F", ccSpecific: { setpointType: 1 } });
    await one.home.write(NODE, "Thermostat:0.target", 20);
    expect(one.home.zwave.actual(NODE, idOf(SETPOINT))).toBe(68);
  });

  test("is refused while its scale is unknown", async () => {
    await using one = await awake();
    one.rescale(SETPOINT, { ccSpecific: { setpointType: 1 } });
    expect(await one.home.write(NODE, "Thermostat:0.target", 20)).toMatchObject({
      kind: "failed",
      outcome: "not_applied",
    });
    expect(one.home.zwave.touched.get(NODE)).toBeUndefined();
  });

  test("answers a refresh by the unit that follows the answer", async () => {
    await using one = await awake();
    one.home.zwave.later(NODE, idOf(SETPOINT), 68);
    one.home.zwave.set(NODE, idOf(SETPOINT), 68);
    one.home.clock.timer("the unit follows", 20, () => one.rescale(SETPOINT, { unit: "°F" }));
    expect(await one.home.read(NODE, "Thermostat:0.target")).toEqual({ kind: "value", value: 20 });
  });
});
