/** Reads a simulator file: YAML in, nodes ready to start out, or every problem at once in sentences. */
import {
  addressKey,
  type DeviceAbout,
  type DeviceDescription,
  findProperty,
  type PropertyAddress,
  parseSelector,
  type ServiceDescription,
  standardProperty,
  type Value,
} from "@porchlight/shared/model";
import { decodeServices, encodeServices } from "@porchlight/shared/wire";
import { parse } from "yaml";
import type { z } from "zod";
import type { DeviceFault } from "../faults/device-fault.ts";
import { type ReadFault, readFault } from "../faults/fault-words.ts";
import { NO_NODE_FAULTS, type NodeFaults, withFault } from "../faults/node-faults.ts";
import { readBehaviours } from "./behaviour/read-behaviours.ts";
import type { DeviceDefinition, NodeDefinition } from "./definition.ts";
import { type DeviceEntry, definitionFile, keysAt, type NodeEntry, type ServiceEntry } from "./definition-schema.ts";
import { kindBehaviours } from "./kind-behaviours.ts";
import { aboutKind, KINDS, standardService } from "./kinds.ts";
import { assertValue } from "./simulated-device.ts";
import { unknownWord } from "./suggestion.ts";

export type Definitions =
  | { readonly kind: "ok"; readonly nodes: readonly NodeDefinition[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** @param text the file's YAML */
export function readDefinitions(text: string): Definitions {
  let raw: unknown;
  try {
    raw = parse(text);
  } catch (failure) {
    return { kind: "problems", problems: [failure instanceof Error ? failure.message : String(failure)] };
  }
  const file = definitionFile.safeParse(raw);
  if (!file.success) return { kind: "problems", problems: file.error.issues.flatMap(sentences) };
  const problems: string[] = [];
  const nodes = file.data.nodes.map((entry) => readNode(entry, problems));
  problems.push(...twice(nodes));
  return problems.length > 0 ? { kind: "problems", problems } : { kind: "ok", nodes };
}

function readNode(entry: NodeEntry, problems: string[]): NodeDefinition {
  const devices = entry.devices.map((device) =>
    readDevice(device, (problem) => problems.push(`${device.edgeId}: ${problem}`)),
  );
  const [first] = devices;
  const single = devices.length === 1 && first?.edgeId === entry.edgeId ? first.about : undefined;
  const { tcp, tls, announce, faults: words = [], ...rest } = entry;
  const faults = readNodeFaults(words, (problem) => problems.push(`${entry.edgeId}: ${problem}`));
  for (const problem of networkProblems(entry)) problems.push(`${entry.edgeId}: ${problem}`);
  const psk = tls && Buffer.from(tls.psk, "hex");
  const network = tcp === undefined ? undefined : { port: tcp, psk, announce: announce ?? true };
  const node: NodeDefinition = { ...rest, network, about: entry.about ?? single, faults, devices };
  for (const device of devices) problems.push(...descriptionProblems(device, node.max ?? 1024));
  return node;
}

function networkProblems({ tcp, tls, announce, link }: NodeEntry): string[] {
  if (tcp !== undefined)
    return link === undefined ? [] : ["a node is on a serial line (link) or on the network (tcp), not on both"];
  if (tls !== undefined) return ["tls is for nodes on the network: give it a tcp port"];
  return announce === undefined ? [] : ["announce is for nodes on the network: give it a tcp port"];
}

function readDevice(entry: DeviceEntry, problem: (text: string) => void): DeviceDefinition {
  const kind = entry.kind === undefined ? undefined : KINDS.get(entry.kind);
  if (entry.kind !== undefined && !kind) problem(unknownWord("kind", entry.kind, [...KINDS.keys()]));
  if (entry.kind === undefined && !entry.services) problem("it needs a kind or services");
  const services = [
    ...(kind?.services ?? []),
    ...(entry.services ?? []).map((service) => readService(service, problem)),
  ];
  if (entry.lively && !kind) problem("lively is for a kind: say its behaviour");
  const said: DeviceAbout = { ...entry.about, ...(entry.name === undefined ? {} : { name: entry.name }) };
  const values = readValues({ ...kind?.values, ...entry.values }, services, problem);
  return {
    edgeId: entry.edgeId,
    services,
    about: kind ? aboutKind(kind, said) : said,
    values,
    behaviours: [
      ...(kind ? kindBehaviours(kind, entry.lively ?? false) : []),
      ...readBehaviours(entry.behaviour ?? [], services, problem),
    ],
    fault: entry.fault === undefined ? undefined : readDeviceFault(entry.fault, problem),
  };
}

function readNodeFaults(words: readonly string[], problem: (text: string) => void): NodeFaults {
  let faults = NO_NODE_FAULTS;
  for (const text of words) {
    const read = readFault(text);
    if (read.kind === "ok" && read.fault.of === "node") faults = withFault(faults, read.fault.name, read.fault.amount);
    else problem(faultProblem(text, read, "a device: give it to one as its fault"));
  }
  return faults;
}

function readDeviceFault(text: string, problem: (text: string) => void): DeviceFault | undefined {
  const read = readFault(text);
  if (read.kind === "ok" && read.fault.of === "device") return read.fault.fault;
  problem(faultProblem(text, read, "a node: give it to one in its faults"));
  return undefined;
}

function faultProblem(text: string, read: ReadFault, place: string): string {
  if (read.kind === "unknown") return unknownWord("fault", read.word, read.known);
  return read.kind === "problem" ? read.problem : `fault ${text} is of ${place}`;
}

function readService(entry: ServiceEntry, problem: (text: string) => void): ServiceDescription {
  const { service, properties } = entry;
  const index = String(entry.index);
  if (!properties) {
    const standard = standardService(service, index);
    if (standard.properties.length === 0) problem(`${service} is no standard class: say its properties`);
    return standard;
  }
  return {
    service,
    index,
    properties: properties.flatMap((property) => {
      if (typeof property !== "string") return property;
      const standard = standardProperty(service, property);
      if (!standard) problem(`${service}.${property} is no standard property: describe it`);
      return standard ?? [];
    }),
  };
}

function readValues(
  given: Readonly<Record<string, Value>>,
  services: DeviceDescription,
  problem: (text: string) => void,
): [PropertyAddress, Value][] {
  const known = services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => ({ service, index, property })),
  );
  // A later entry, such as the file's own, takes the place of an earlier one of the same property.
  const values = new Map<string, [PropertyAddress, Value]>();
  for (const [key, value] of Object.entries(given)) {
    const selector = parseSelector(key);
    const address = {
      service: selector?.service ?? "",
      index: selector?.index ?? "0",
      property: selector?.property ?? "",
    };
    const description = findProperty(services, address);
    if (!description) problem(unknownWord("property", key, known.map(addressKey)));
    else {
      try {
        assertValue(description, value);
        values.set(addressKey(address), [address, value]);
      } catch (failure) {
        problem(`${key}: ${failure instanceof Error ? failure.message : String(failure)}`);
      }
    }
  }
  return [...values.values()];
}

/** What a hub would leave out of the description, or what does not fit the node's frames. */
function descriptionProblems(device: DeviceDefinition, max: number): string[] {
  try {
    const { problems } = decodeServices(encodeServices(device.services, device.about ?? {}, max));
    return problems.map((problem) => `${device.edgeId}: ${problem}`);
  } catch (failure) {
    return [`${device.edgeId}: ${failure instanceof Error ? failure.message : String(failure)}`];
  }
}

/** An edgeId belongs to one device, and one node, only. */
function twice(nodes: readonly NodeDefinition[]): string[] {
  const lists = [
    nodes.map(({ edgeId }) => edgeId),
    nodes.flatMap(({ devices }) => devices.map(({ edgeId }) => edgeId)),
  ];
  return lists.flatMap((ids) => ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`));
}

function sentences(issue: z.core.$ZodIssue): string[] {
  const where = issue.path.map(String).join(".") || "the file";
  if (issue.code !== "unrecognized_keys") return [`${where}: ${issue.message}`];
  return issue.keys.map((key) => `${where}: ${unknownWord("key", key, keysAt(issue.path))}`);
}
