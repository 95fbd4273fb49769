/** Parses one step of a scenario and checks it against the devices that it addresses. */
import {
  addressKey,
  type DeviceDescription,
  findProperty,
  hasType,
  type PropertyAddress,
  type PropertyDescription,
  parseSelector,
  type Value,
} from "@porchlight/shared/model";
import { isMap, isScalar, isSeq, type Node } from "yaml";
import { z } from "zod";
import type { DeviceDefinition, NodeDefinition } from "./devices/definition.ts";
import { type FileProblem, readYaml, salvage, unknownWord, withLines } from "./devices/schema-problems.ts";
import { assertValue } from "./devices/simulated-device.ts";
import { readFault } from "./fault-words.ts";
import type { Action, Comparison, ScenarioStep, Subject } from "./play-scenario.ts";

/** Commands for a whole node, with a reference and in some cases a number. */
const OF_NODES = ["reboot", "brownout", "unplug", "plug", "move", "announce", "withdraw", "noise"];
const OF_DEVICES = ["leave", "come"];

/** Every verb of a step. */
const VERBS: readonly string[] = ["set", "press", "expect", "assert", "fault", "wait", ...OF_NODES, ...OF_DEVICES];

const NODE_WORDS = ["state", "untold"] as const;
const COMPARISON = /^(!=|<=|>=|<|>|=)\s*/;
const WITHIN = /\s+within\s+(\S+)$/;

/** The action of a step, or a sentence with its problem. */
function readAction(verb: string, words: string, nodes: readonly NodeDefinition[]): Action | string {
  try {
    return action(verb, words, nodes);
  } catch (failure) {
    if (failure instanceof Mistake) return failure.message;
    throw failure;
  }
}

function action(verb: string, words: string, nodes: readonly NodeDefinition[]): Action {
  if (verb === "wait") return { do: "wait", ms: duration(words) };
  const { word: who, rest } = whoIn(words, nodes);
  if (OF_NODES.includes(verb)) return command(verb, nodeOf(who, nodes).edgeId, rest);
  if (OF_DEVICES.includes(verb)) return command(verb, deviceOf(who, nodes).edgeId, rest);
  if (verb === "fault") {
    const isNode = nodes.some(({ edgeId, name }) => edgeId === who || name === who);
    const read = readFault(rest);
    if (read.kind === "unknown") throw new Mistake(unknownWord("fault", read.word, read.known));
    if (read.kind === "problem") throw new Mistake(read.problem);
    return command(verb, isNode ? nodeOf(who, nodes).edgeId : deviceOf(who, nodes).edgeId, rest);
  }
  if (verb === "expect" || verb === "assert") return check(verb, who, rest, nodes);
  const device = deviceOf(who, nodes);
  const { word: where, rest: stated } = firstWord(rest);
  const { address, description } = propertyIn(device.services, where);
  const isEvent = !description.access.includes("read");
  if (verb === "set" && isEvent) throw new Mistake(`${where} can only notify: press it`);
  if (verb === "press" && !isEvent) throw new Mistake(`${where} has a value: set it`);
  const value = readValue(stated);
  try {
    assertValue(description, value);
  } catch (failure) {
    throw new Mistake(failure instanceof Error ? failure.message : String(failure));
  }
  return command(verb, device.edgeId, `${addressKey(address)} ${JSON.stringify(value)}`);
}

function check(verb: "expect" | "assert", who: string, rest: string, nodes: readonly NodeDefinition[]): Action {
  const within = WITHIN.exec(rest)?.[1];
  if (verb === "expect" && within === undefined)
    throw new Mistake("say how long, such as within 5s; assert is for now");
  if (verb === "assert" && within !== undefined) throw new Mistake("it looks at once; expect … within waits");
  const { word: what, rest: compared } = firstWord(rest.replace(WITHIN, ""));
  const comparison = (COMPARISON.exec(compared)?.[1] ?? "=") as Comparison;
  const value = readValue(compared.replace(COMPARISON, ""));
  const ms = within === undefined ? undefined : duration(within);
  const ofNode = NODE_WORDS.find((word) => word === what);
  if (ofNode) {
    const subject: Subject = { of: "node", node: nodeOf(who, nodes).edgeId, what: ofNode };
    return { do: "check", subject, comparison, value, within: ms };
  }
  const device = deviceOf(who, nodes);
  const { address, description } = propertyIn(device.services, what);
  if (!description.access.includes("read")) throw new Mistake(`${what} can only notify: it has no value`);
  if (value !== null && !hasType(description, value))
    throw new Mistake(`${what} is of type ${description.type}: it is never ${JSON.stringify(value)}`);
  return { do: "check", subject: { of: "property", device: device.edgeId, address }, comparison, value, within: ms };
}

function command(verb: string, edgeId: string, rest: string): Action {
  return { do: "command", line: `${verb} ${edgeId} ${rest}`.trim() };
}

/** The addressed device or node, and the remaining words: the longest known name, since names may contain spaces, else the first word. */
function whoIn(words: string, nodes: readonly NodeDefinition[]): { word: string; rest: string } {
  const names = nodes.flatMap(({ name, edgeId, devices }) => [
    ...[name, edgeId],
    ...devices.flatMap((device) => [device.about?.name, device.edgeId]),
  ]);
  const fitting = names.filter((name) => name !== undefined && (words === name || words.startsWith(`${name} `)));
  const longest = fitting.reduce((best = "", name = "") => (name.length > best.length ? name : best), "") ?? "";
  return longest === "" ? firstWord(words) : { word: longest, rest: words.slice(longest.length).trim() };
}

function nodeOf(who: string, nodes: readonly NodeDefinition[]): NodeDefinition {
  const found =
    nodes.find(({ edgeId, name }) => edgeId === who || name === who) ??
    nodes.find(({ devices }) => devices.some((device) => isDevice(device, who)));
  if (!found)
    throw new Mistake(
      unknownWord(
        "node",
        who,
        nodes.map(({ name, edgeId }) => name ?? edgeId),
      ),
    );
  return found;
}

/** Finds a device by its edgeId, its name, or the name of the node whose only device it is. */
function deviceOf(who: string, nodes: readonly NodeDefinition[]): DeviceDefinition {
  const devices = nodes.flatMap((node) => node.devices);
  const single = nodes.find(({ name, devices: of }) => name === who && of.length === 1)?.devices[0];
  const found = devices.find((device) => isDevice(device, who)) ?? single;
  if (found) return found;
  const known = [
    ...nodes.flatMap(({ name, devices: of }) => (of.length === 1 && name ? name : [])),
    ...devices.map(nameOf),
  ];
  throw new Mistake(unknownWord("device", who, known));
}

function isDevice(device: DeviceDefinition, who: string): boolean {
  return device.edgeId === who || device.about?.name === who;
}

function nameOf({ about, edgeId }: DeviceDefinition): string {
  return about?.name ?? edgeId;
}

/** Result of reading a scenario file: the steps, or every mistake at once, each with its line. */
type ReadScenario =
  | { readonly kind: "ok"; readonly steps: readonly ScenarioStep[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const scenarioFile = z.strictObject({ name: z.string().optional(), steps: z.array(z.unknown()).min(1) });
/** One verb and its words: `wait: 2s`. */
const words = z.union([z.string(), z.number(), z.boolean()]);

/** @param text the file's YAML @param nodes the nodes of the scenario */
export function readScenario(text: string, nodes: readonly NodeDefinition[]): ReadScenario {
  const read = readYaml(text);
  if (read.kind === "problems") return read;
  const { file } = read;
  const problems: FileProblem[] = [];
  salvage(scenarioFile, file.value, [], (problem) => void problems.push(problem));
  const list = isMap(file.root) ? file.root.get("steps", true) : undefined;
  const steps: ScenarioStep[] = [];
  for (const [at, item] of (isSeq<Node>(list) ? list.items : []).entries()) {
    const step = readStep(item, file.lineOf(item), nodes);
    if (typeof step === "string") problems.push({ path: ["steps", at], text: step });
    else steps.push(step);
  }
  return problems.length > 0 ? { kind: "problems", problems: withLines(file, problems) } : { kind: "ok", steps };
}

/** A step, or its problem. */
function readStep(item: Node, line: number, nodes: readonly NodeDefinition[]): ScenarioStep | string {
  if (!isMap<Node>(item) || item.items.length !== 1) return "a step is one verb and its words, such as wait: 2s";
  const [pair] = item.items;
  const verb = isScalar(pair?.key) ? String(pair.key.value) : "";
  // Use the source text: 1.0 and "on" must stay unchanged.
  const source = isScalar(pair?.value) ? (pair.value.source ?? pair.value.value) : undefined;
  const stated = words.safeParse(source);
  if (!VERBS.includes(verb)) return unknownWord("step", verb, VERBS);
  if (!stated.success) return `${verb}: its words must stand on the same line`;
  const text = String(stated.data).trim();
  const action = readAction(verb, text, nodes);
  return typeof action === "string" ? `${verb}: ${action}` : { text: `${verb} ${text}`, line, action };
}

/** Units of time in a step or a command. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };

/** A user's command that cannot be executed; the message states why. */
export class Mistake extends Error {}

/** The first word, and the rest. */
export function firstWord(words: string): { word: string; rest: string } {
  const [, word = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(words) ?? [];
  return { word, rest };
}

/** A property by its words, with its description. @throws Mistake */
export function propertyIn(
  services: DeviceDescription,
  where: string,
): { address: PropertyAddress; description: PropertyDescription } {
  const selector = parseSelector(where);
  const address = {
    service: selector?.service ?? "",
    index: selector?.index ?? "0",
    property: selector?.property ?? "",
  };
  const description = findProperty(services, address);
  if (description) return { address, description };
  const known = services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) =>
      index === "0" ? `${service}.${property}` : addressKey({ service, index, property }),
    ),
  );
  throw new Mistake(unknownWord("property", where, known));
}

/** Parses JSON, or returns other text unchanged. @throws Mistake */
export function readValue(words: string): Value {
  if (words.trim() === "") throw new Mistake("a value is missing");
  try {
    return JSON.parse(words) as Value;
  } catch {
    return words.trim();
  }
}

/** ms of `300ms`, `5s`, `2min` or `1h`. @throws Mistake */
export function duration(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (number === undefined || factor === undefined)
    throw new Mistake(`"${text}" is no time: say 300ms, 5s, 2min or 1h`);
  return Number(number) * factor;
}
