/** The world of the driver for the judge: a network in memory with a plug that has a button and a thermometer, and more plugs. */

import type { CrowdDevice, OpenWorld } from "../kit/judge/world.suite.ts";
import { type NodeJson, valueJson } from "./captured-nodes.fixture.ts";
import { FakeZwave } from "./fake-zwave.fixture.ts";
import { ZwaveDriver } from "./zwave-driver.ts";
import { MemoryWay, zwaveEdgeId } from "./zwave-home.fixture.ts";

const MEBIBYTE = 1024 * 1024;
const PLUG = 2;
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
  zwave.add(plug(PLUG));
  return {
    make: (host) =>
      ZwaveDriver.start({
        ...{ server: "10.0.0.9:3000", open: way.open, admit: { all: true, edgeIds: new Set() } },
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
    leftAside: ["notJson", "notUnderstood", "unasked", "badEvent", "badNode", "wrongType"],
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

const event = (fields: object) => JSON.stringify({ type: "event", event: fields });
const GARBAGE = [
  ...["{", "[1]", "null", '{"type":"event"}', '{"type":"result","messageId":"99999","success":true,"result":{}}'],
  event({ source: "node", event: "value updated", nodeId: 99_999, args: {} }),
  event({ source: "node", event: "value updated", nodeId: PLUG, args: 7 }),
  event({ source: "node", event: "value updated" }),
  event({ source: "controller", event: "node added", node: { nodeId: -4 } }),
  event({ source: "elsewhere", event: "anything" }),
  event({ source: "node", event: "value updated", nodeId: PLUG, args: { ...CURRENT, newValue: "yes" } }),
];

function another(zwave: FakeZwave, nodeId: number): CrowdDevice {
  zwave.add(plug(nodeId));
  return { edgeId: zwaveEdgeId(nodeId), property: ON, silence: () => void zwave.silent.add(nodeId) };
}

function flood(many: number, say: (at: number) => void): number {
  for (let at = 0; at < many; at++) say(at);
  return many;
}
