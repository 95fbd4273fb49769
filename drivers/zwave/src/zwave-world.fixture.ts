/** The world of the driver for the judge: a network in memory with a plug that has a button and a thermometer, and more plugs. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import type { CrowdDevice, DriverWorld, OpenWorld, RawKind } from "@porchlight/driver-kit/judge/world.suite.ts";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { type NodeJson, valueJson } from "./captured-nodes.fixture.ts";
import { FakeZwave } from "./fake-zwave.fixture.ts";
import type { ValueId } from "./values/node-state.ts";
import { ZwaveDriver } from "./zwave-driver.ts";
import { MemoryWay, zwaveEdgeId } from "./zwave-home.fixture.ts";

const MEBIBYTE = 1024 * 1024;
const PLUG = 2;
const RELAYS = 240;
const ON = { service: "Switch", index: "0", property: "on" };
const PRESS = { service: "Button", index: "1", property: "event" };
const CURRENT = { commandClass: 37, endpoint: 0, property: "currentValue" };
const CELSIUS = { commandClass: 49, endpoint: 0, property: "Air temperature" };
const SCENE = { commandClass: 91, endpoint: 0, property: "scene", propertyKey: "001" };
const EVENTS = new Map<unknown, number>([
  ["press", 0],
  ["release", 1],
  ["double", 3],
]);

export const ZWAVE_EXCUSES = { secrets: "a Z-Wave server has no password" } as const;

/** A plug with an own way to show itself. */
export function plug(nodeId: number): NodeJson {
  const values = [
    valueJson([37, 0, "currentValue", null, "boolean", "r", {}, false]),
    valueJson([37, 0, "targetValue", null, "boolean", "rw", {}, false]),
    valueJson([
      49,
      0,
      "Air temperature",
      null,
      "number",
      "r",
      { unit: "°C", ccSpecific: { sensorType: 1, scale: 0 } },
      20,
    ]),
    valueJson([91, 0, "scene", "001", "number", "r", { stateful: false }]),
    valueJson([135, 0, "identify", null, "boolean", "w", {}]),
  ];
  return {
    ...{ nodeId, status: 4, ready: true, isListening: true, isControllerNode: false, label: `Plug ${nodeId}`, values },
    ...{ endpoints: [], deviceClass: { generic: { key: 16 }, specific: { key: 1 } } },
  };
}

export const zwaveWorld: OpenWorld = ({ clock, fakeClock, random, log }) => {
  const zwave = new FakeZwave(fakeClock);
  const way = new MemoryWay(zwave);
  zwave.add({ ...plug(PLUG), values: [...plug(PLUG).values, ...MEMBERS.flatMap(({ rows }) => rows.map(valueJson))] });
  return {
    ...handsOf(zwave),
    make: (host) =>
      ZwaveDriver.start({
        ...{ server: "10.0.0.9:3000", open: way.open, admit: { all: true, edgeIds: new Set([zwaveEdgeId(PLUG)]) } },
        ...{ clock, random, log, host },
      }),
    device: zwaveEdgeId(PLUG),
    property: ON,
    touched: () => zwave.touched.get(PLUG) ?? 0,
    actual: () => zwave.actual(PLUG, CURRENT) === true,
    silence: () => void zwave.silent.add(PLUG),
    speak: () => void zwave.silent.delete(PLUG),
    slow: (ms) => {
      zwave.delayMs = ms;
    },
    cut: () => way.cut(),
    mend: () => way.mend(),
    change: (value) => zwave.change(PLUG, CURRENT, value),
    tries: () => way.tries,
    held: () => zwave.clients,
    leftAside: ["notJson", "notUnderstood", "unasked", "badEvent", "badNode", "wrongType", "superseded"],
    crowd: (count) => Array.from({ length: count }, (_, at) => another(zwave, PLUG + 1 + at)),
    event: {
      property: PRESS,
      values: [...EVENTS.keys()].map(String),
      happen: (value) =>
        zwave.event({
          ...{ source: "node", event: "value notification", nodeId: PLUG },
          args: { ...SCENE, value: EVENTS.get(value) },
        }),
    },
    refuse: () => {
      zwave.refuses = true;
    },
    floods: {
      reports: () => flood(10_000, (at) => zwave.change(PLUG, CELSIUS, at % 40)),
      garbage: () => flood(1500, (at) => zwave.say(GARBAGE[at % GARBAGE.length] ?? "")),
      "long messages": () => flood(10, () => zwave.say("x".repeat(MEBIBYTE))),
    },
  };
};

/** A value of the plug with its property, and a good value of both. */
interface Member {
  readonly rows: readonly Parameters<typeof valueJson>[0][];
  readonly id: ValueId;
  readonly property: PropertyAddress;
  readonly good: unknown;
  readonly before: Value;
}

type ValueRow = Parameters<typeof valueJson>[0];

function member(row: ValueRow, key: string, before: Value, ...others: readonly ValueRow[]): Member {
  const [commandClass, endpoint, property, propertyKey, , , , good] = row;
  const id = { commandClass, endpoint, property, ...(propertyKey !== null && { propertyKey }) };
  return { rows: [row, ...others], id, property: addressIn(key), good, before };
}

const measured = (sensorType: number, scale: number, unit: string) => ({ unit, ccSpecific: { sensorType, scale } });
const LEVEL = member([38, 1, "currentValue", null, "number", "r", {}, 40], "LightLevel:1.level", 40, [
  ...([38, 1, "targetValue", null, "number", "rw", {}] as const),
]);
const VOLTS = member(
  [49, 1, "Voltage", null, "number", "r", measured(15, 1, "mV"), 230_000],
  "Electricity:1.volts",
  230,
);
const HUMIDITY = member([49, 1, "Humidity", null, "number", "r", measured(5, 0, "%"), 45], "Humidity:1.percent", 45);
const CHARGE = member([128, 0, "level", null, "number", "r", { unit: "%" }, 90], "Battery:0.percent", 90);
const SETPOINT = member([67, 1, "setpoint", 1, "number", "rw", { unit: "°F" }, 68], "Thermostat:1.target", 20);
const SMOKE = member([113, 1, "Smoke Alarm", "Sensor status", "number", "r", {}, 2], "Smoke:1.detected", true);
const DOOR = member([113, 1, "Access Control", "Door state", "number", "r", {}, 23], "Contact:1.open", false);
const LOCK = member([98, 2, "currentMode", null, "number", "r", {}, 255], "Lock:2.locked", true, [
  ...([98, 2, "targetMode", null, "number", "rw", {}] as const),
]);
const RED = member(
  [51, 1, "currentColor", 2, "number", "r", {}, 255],
  "LightColor:1.hue",
  0,
  ...([3, 4] as const).map((key): ValueRow => [51, 1, "currentColor", key, "number", "r", {}, 0]),
);
const CELSIUS_MEMBER: Member = {
  ...{ rows: [], id: CELSIUS, good: 21 },
  property: addressIn("Temperature:0.celsius"),
  before: 21,
};
const MEMBERS: readonly Member[] = [LEVEL, VOLTS, HUMIDITY, CHARGE, SETPOINT, SMOKE, DOOR, LOCK, RED];

/** Sent as JSON does not allow it. */
const BARE = Symbol("NaN without quotes");

const RAW_CASES: readonly (readonly [RawKind, Member, unknown, Value])[] = [
  ...[CELSIUS_MEMBER, VOLTS, LEVEL, LOCK, CHARGE, SETPOINT, SMOKE, RED].map(
    (each) => ["no value", each, null, null] as const,
  ),
  ["member left out", CELSIUS_MEMBER, undefined, null],
  ["member left out", LOCK, undefined, null],
  ["word for no value", LEVEL, "unknown", null],
  ["word for no value", LOCK, "unavailable", null],
  ["word for no value", SMOKE, "None", null],
  ["word for no value", CELSIUS_MEMBER, "nan", null],
  ["not a number", CELSIUS_MEMBER, BARE, null],
  ["not a number", VOLTS, BARE, null],
  ["number as text", CELSIUS_MEMBER, "-3.5", -3.5],
  ["number as text", LEVEL, "55", 55],
  ["number as text", SMOKE, "0", false],
  ["number as text", LOCK, "0", false],
  ["protocol marker", LEVEL, 254, null],
  ["protocol marker", LEVEL, 255, null],
  ["protocol marker", LOCK, 254, null],
  ["protocol marker", CHARGE, 255, null],
  ["protocol marker", SMOKE, 254, null],
  ["protocol marker", CELSIUS_MEMBER, -327.68, null],
  ["excess of rounding", LEVEL, 100, 100],
  ["excess of rounding", CHARGE, 100.4, 100],
  ["share out of range", LEVEL, 101, null],
  ["share out of range", LEVEL, -1, null],
  ["share out of range", CHARGE, 130, null],
  ["share out of range", RED, 300, null],
  ["measured out of range", HUMIDITY, 104, 104],
  ["measured out of range", VOLTS, -5000, -5],
  ["unlisted word", LOCK, 77, null],
  ["unlisted word", DOOR, 0, null],
  ["unlisted word", DOOR, 254, null],
  ["unlisted word", SMOKE, 9, null],
];

const UPDATED = { source: "node", event: "value updated", nodeId: PLUG };

/** A strip of relays: an endpoint each, in the order in which the server lists them. */
function relays(endpoints: readonly string[]): NodeJson {
  const values = endpoints
    .map(Number)
    .flatMap((endpoint) => [
      valueJson([37, endpoint, "targetValue", null, "boolean", "rw", {}, false]),
      valueJson([37, endpoint, "currentValue", null, "boolean", "r", {}, false]),
    ]);
  return { ...plug(RELAYS), values: [...values, valueJson([114, 0, "manufacturerId", null, "number", "r", {}, 1])] };
}

/** What the judge of values and of things asks for. */
function handsOf(zwave: FakeZwave): Pick<DriverWorld, "repeat" | "sampleEarly" | "rawValues" | "things"> {
  const bare = ({ ...id }: ValueId, number: string) =>
    zwave.say(event({ ...UPDATED, args: { ...id, newValue: 0 } }).replace('"newValue":0', `"newValue":${number}`));
  return {
    repeat: () => zwave.updated(PLUG, CURRENT, zwave.actual(PLUG, CURRENT)),
    sampleEarly: () => {
      zwave.samplesEarly = true;
    },
    rawValues: {
      cases: RAW_CASES.map(([kind, { id, property, good, before }, raw, value]) => ({
        ...{ kind, raw: `${id.property} ${JSON.stringify(raw)}`, property, before, value },
        sendBefore: () => zwave.change(PLUG, id, good),
        send: () => (raw === BARE ? bare(id, "NaN") : zwave.change(PLUG, id, raw)),
      })),
      cannot: {},
    },
    things: {
      device: zwaveEdgeId(RELAYS),
      ...{ service: "Switch", property: "on", ids: ["1", "2", "3"] },
      have: (ids) => {
        const isNew = !zwave.nodes.has(RELAYS);
        zwave.add(relays(ids));
        if (isNew) zwave.event({ source: "controller", event: "node added", node: relays(ids), result: {} });
        else zwave.state(RELAYS, {}, "ready");
      },
      commanded: () => zwave.commands.flatMap(({ nodeId, id }) => (nodeId === RELAYS ? [String(id.endpoint)] : [])),
    },
  };
}

const event = (fields: object) => JSON.stringify({ type: "event", event: fields });
const GARBAGE = [
  ...["{", "[1]", "null", '{"type":"event"}', '{"type":"result","messageId":"99999","success":true,"result":{}}'],
  event({ source: "node", event: "value updated", nodeId: 99_999, args: {} }),
  event({ source: "node", event: "value updated", nodeId: PLUG, args: 7 }),
  event({ source: "node", event: "value updated" }),
  event({ source: "controller", event: "node added", node: { nodeId: -4 } }),
  event({ source: "elsewhere", event: "anything" }),
  event({ source: "node", event: "value updated", nodeId: PLUG, args: { ...CURRENT, newValue: "maybe" } }),
];

function another(zwave: FakeZwave, nodeId: number): CrowdDevice {
  zwave.add(plug(nodeId));
  return { edgeId: zwaveEdgeId(nodeId), property: ON, silence: () => void zwave.silent.add(nodeId) };
}

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}
