/** The words of one step: who, what and how long, checked against the devices that it plays with. */
import { addressKey, hasType } from "@porchlight/shared/model";
import type { DeviceDefinition, NodeDefinition } from "../devices/definition.ts";
import { unknownWord } from "../devices/file/suggestion.ts";
import { assertValue } from "../devices/simulated-device.ts";
import { readFault } from "../faults/fault-words.ts";
import type { Action, Comparison, Subject } from "./scenario.ts";
import { duration, firstWord, Mistake, propertyIn, readValue } from "./words.ts";

/** Commands about a whole node, which take a reference and perhaps a number. */
const OF_NODES = ["reboot", "brownout", "unplug", "plug", "move", "announce", "withdraw", "noise"];
const OF_DEVICES = ["leave", "come"];

/** Every verb of a step. */
export const VERBS: readonly string[] = [
  "set",
  "press",
  "expect",
  "assert",
  "fault",
  "wait",
  ...OF_NODES,
  ...OF_DEVICES,
];

const NODE_WORDS = ["state", "untold"] as const;
const COMPARISON = /^(!=|<=|>=|<|>|=)\s*/;
const WITHIN = /\s+within\s+(\S+)$/;

/** What a step does, or the sentence that says what is wrong with it. */
export function readAction(verb: string, words: string, nodes: readonly NodeDefinition[]): Action | string {
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
  const { word: where, rest: said } = firstWord(rest);
  const { address, description } = propertyIn(device.services, where);
  const isEvent = !description.access.includes("read");
  if (verb === "set" && isEvent) throw new Mistake(`${where} can only notify: press it`);
  if (verb === "press" && !isEvent) throw new Mistake(`${where} has a value: set it`);
  const value = readValue(said);
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

/** Who is meant, and what follows: the longest name that is known, since names may have spaces, else the first word. */
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

/** By its edgeId, its name, or the name of the node whose only device it is. */
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
