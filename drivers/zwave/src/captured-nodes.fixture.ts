/**
 * Nodes as zwave-js-server describes them, of `captured-nodes.jsonl`: a line for each node, and one for each of its values.
 *
 * Facts of the captures in home-assistant-libs/zwave-js-server-python, test/fixtures, and (`ha`) home-assistant/core,
 * tests/components/zwave_js/fixtures (both Apache-2.0), written down anew: without names (but one, for its characters), places, node ids, codes of locks, routes and
 * what concerns the protocol only; of parameters with choices only their numbers.
 */
import { readFileSync } from "node:fs";

type Head = Readonly<{
  from: string;
  maker?: string;
  model?: string;
  what?: string;
  firmware?: string;
  name?: string;
  status: number;
  ready: boolean;
  listening?: boolean;
  frequent?: boolean | string;
  security?: number;
  class?: readonly [number, number];
  icon?: number;
  endpoints?: readonly { index: number; class?: readonly [number, number]; icon?: number }[];
}>;

type Row = readonly [
  commandClass: number,
  endpoint: number,
  property: string | number,
  propertyKey: string | number | null,
  type: string,
  access: string,
  /** With the class's version, where it matters. */
  metadata: { readonly ccVersion?: number; readonly [name: string]: unknown },
  value?: unknown,
];

/** A node as JSON, as `start_listening` answers it. */
export type NodeJson = Readonly<Record<string, unknown>> & {
  readonly nodeId: number;
  readonly values: readonly ValueJson[];
};
export type ValueJson = Readonly<Record<string, unknown>> & { readonly metadata: object };

const CLASS_NAMES: Readonly<Record<number, string>> = {
  ...{ 32: "Basic", 37: "Binary Switch", 38: "Multilevel Switch", 48: "Binary Sensor", 49: "Multilevel Sensor" },
  ...{ 43: "Scene Activation", 50: "Meter", 51: "Color Switch", 64: "Thermostat Mode", 98: "Door Lock" },
  ...{ 66: "Thermostat Operating State", 67: "Thermostat Setpoint", 68: "Thermostat Fan Mode" },
  ...{ 69: "Thermostat Fan State", 91: "Central Scene", 99: "User Code", 102: "Barrier Operator" },
  ...{ 106: "Window Covering", 111: "Entry Control", 112: "Configuration", 113: "Notification", 117: "Protection" },
  ...{ 128: "Battery", 132: "Wake Up", 135: "Indicator", 129: "Clock", 143: "Multi Command", 144: "Energy Production" },
};

const LINES = readFileSync(new URL("./captured-nodes.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const NODES = new Map<string, NodeJson>();
for (const [at, line] of LINES.entries()) {
  if (!line.startsWith("{")) continue;
  const end = LINES.findIndex((other, index) => index > at && other.startsWith("{"));
  const rows = LINES.slice(at + 1, end < 0 ? undefined : end).map((each): Row => JSON.parse(each));
  const head: Head = JSON.parse(line);
  const name = head.from === "basic_dump" ? `${head.from} ${head.model}` : head.from;
  NODES.set(name, nodeJson(head, rows, NODES.size + 1));
}

/** Each with the name of its capture. */
export const CAPTURED_NODES: ReadonlyMap<string, NodeJson> = NODES;

/** One of them, under a node id of the test's own. */
export function capturedNode(name: string, nodeId?: number): NodeJson {
  const node = NODES.get(name);
  if (!node) throw new Error(`there is no capture ${name}`);
  return nodeId === undefined ? node : { ...node, nodeId };
}

function nodeJson(head: Head, rows: readonly Row[], nodeId: number): NodeJson {
  const { maker, model, what, firmware, name, status, ready, security } = head;
  const deviceClass = classOf(head.class);
  const endpoints = (head.endpoints ?? []).map((each) => ({
    ...{ nodeId, index: each.index, installerIcon: each.icon, deviceClass: classOf(each.class) },
  }));
  return {
    ...{ nodeId, status, ready, deviceClass, label: model, name, firmwareVersion: firmware },
    ...{ isListening: head.listening, isFrequentListening: head.frequent ?? false, isControllerNode: false },
    ...{ installerIcon: head.icon, highestSecurityClass: security, interviewStage: "Complete" },
    deviceConfig: { manufacturer: maker, label: model, description: what },
    endpoints: [{ nodeId, index: 0, installerIcon: head.icon, deviceClass }, ...endpoints],
    values: rows.map(valueJson),
  };
}

function classOf(numbers: readonly [number, number] | undefined) {
  return numbers ? { basic: { key: 4 }, generic: { key: numbers[0] }, specific: { key: numbers[1] } } : null;
}

export function valueJson([commandClass, endpoint, property, propertyKey, type, access, given, value]: Row): ValueJson {
  const { ccVersion = 1, ...more } = given;
  return {
    ...{ endpoint, commandClass, commandClassName: CLASS_NAMES[commandClass] ?? `class ${commandClass}`, property },
    ...(propertyKey !== null && { propertyKey }),
    ccVersion,
    metadata: { type, readable: access.includes("r"), writeable: access.includes("w"), ...more },
    ...(value !== undefined && { value }),
  };
}
