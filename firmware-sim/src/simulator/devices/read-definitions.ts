/** Reads a simulator file: YAML in, nodes ready to start out, or every problem at once, each with its line. */
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
import { z } from "zod";
import type { DeviceFault } from "../device-fault.ts";
import { NO_NODE_FAULTS, type NodeFaults, type ReadFault, readFault, withFault } from "../fault-words.ts";
import type { DeviceDefinition, NodeDefinition } from "./definition.ts";
import type { Behaviour } from "./fade.ts";
import {
  behaviourEntry,
  definitionFile,
  deviceEntry,
  type NodeEntry,
  nodeEntry,
  type ServiceEntry,
  serviceEntry,
} from "./file-schema.ts";
import { aboutKind, KINDS, kindBehaviours, standardService } from "./kinds.ts";
import { readBehaviours } from "./read-behaviours.ts";
import { type FileProblem, type Path, readYaml, salvage, unknownWord, withLines } from "./schema-problems.ts";
import { assertValue } from "./simulated-device.ts";

export type Definitions =
  | { readonly kind: "ok"; readonly nodes: readonly NodeDefinition[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** @param text the file's YAML */
export function readDefinitions(text: string): Definitions {
  const read = readYaml(text);
  if (read.kind === "problems") return read;
  const problems: FileProblem[] = [];
  const found = (problem: FileProblem) => void problems.push(problem);
  const { entry } = salvage(definitionFile, read.file.value, [], found);
  const nodes = (entry.nodes ?? []).map((raw, at) => readNode(raw, ["nodes", at], found));
  problems.push(...twice(nodes));
  return problems.length > 0 ? { kind: "problems", problems: withLines(read.file, problems) } : { kind: "ok", nodes };
}

function readNode(raw: unknown, at: Path, found: (problem: FileProblem) => void): NodeDefinition {
  const { entry } = salvage(nodeEntry, raw, at, found);
  const devices = (entry.devices ?? []).map((device, which) =>
    readDeviceOf(device, entry.max ?? 1024, [...at, "devices", which], found),
  );
  const [first] = devices;
  const single = devices.length === 1 && first && first.edgeId === entry.edgeId ? first.about : undefined;
  const { tcp, tls, announce, faults: words = [], ...rest } = entry;
  const faults = readNodeFaults(words, (text, which) => found({ path: [...at, "faults", which], text }));
  for (const [key, text] of networkProblems(entry)) found({ path: [...at, key], text });
  const psk = tls && Buffer.from(tls.psk, "hex");
  const network = tcp === undefined ? undefined : { port: tcp, psk, announce: announce ?? true };
  return { ...rest, edgeId: entry.edgeId ?? "", network, about: entry.about ?? single, faults, devices };
}

/** @param max the frame limit of its node, bytes */
function readDeviceOf(raw: unknown, max: number, at: Path, found: (problem: FileProblem) => void): DeviceDefinition {
  let isWhole = true;
  const device = readDevice(raw, at, (problem) => {
    isWhole = false;
    found(problem);
  });
  for (const text of isWhole ? descriptionProblems(device, max) : []) found({ path: [...at, "services"], text });
  return device;
}

/** Problems by key of the node. */
function networkProblems({ tcp, tls, announce, link }: Partial<NodeEntry>): [string, string][] {
  if (tcp !== undefined)
    return link === undefined
      ? []
      : [["link", "a node is on a serial line (link) or on the network (tcp), not on both"]];
  if (tls !== undefined) return [["tls", "tls is for nodes on the network: give it a tcp port"]];
  return announce === undefined ? [] : [["announce", "announce is for nodes on the network: give it a tcp port"]];
}

function readNodeFaults(words: readonly string[], problem: (text: string, which: number) => void): NodeFaults {
  let faults = NO_NODE_FAULTS;
  for (const [which, text] of words.entries()) {
    const read = readFault(text);
    if (read.kind === "ok" && read.fault.of === "node") faults = withFault(faults, read.fault.name, read.fault.amount);
    else problem(faultProblem(text, read, "a device: give it to one as its fault"), which);
  }
  return faults;
}

/** Problems of edgeIds that more than one device or node has. */
function twice(nodes: readonly NodeDefinition[]): FileProblem[] {
  const places = [
    nodes.map(({ edgeId }, at) => ({ edgeId, path: ["nodes", at, "edgeId"] })),
    nodes.flatMap(({ devices }, at) =>
      devices.map(({ edgeId }, which) => ({ edgeId, path: ["nodes", at, "devices", which, "edgeId"] })),
    ),
  ];
  return places.flatMap((list) =>
    list
      .filter(({ edgeId }, at) => edgeId !== "" && list.findIndex((other) => other.edgeId === edgeId) !== at)
      .map(({ edgeId, path }) => ({ path, text: `${edgeId} is there twice` })),
  );
}

/** Reports a problem and its keys in the device. */
type Tell = (text: string, ...path: Path) => void;

/** @param at path of the device in the file @param found called for each problem; the device is usable when there is none */
function readDevice(raw: unknown, at: Path, found: (problem: FileProblem) => void): DeviceDefinition {
  const tell: Tell = (text, ...path) => found({ path: [...at, ...path], text });
  const { entry, broken } = salvage(deviceEntry, raw, at, found);
  const kind = entry.kind === undefined ? undefined : KINDS.get(entry.kind);
  const isOfUnknownKind = entry.kind !== undefined && !kind;
  if (isOfUnknownKind) tell(unknownWord("kind", entry.kind ?? "", [...KINDS.keys()]), "kind");
  // References to properties can be checked only when all properties are known.
  const isDescribed = !isOfUnknownKind && !broken.has("kind") && !broken.has("services");
  if (isDescribed && !entry.kind && !entry.services) tell("a device needs a kind or services");
  if (entry.lively && isDescribed && !kind) tell("lively is for a kind; without one, say its behaviour", "lively");
  const services = [...(kind?.services ?? []), ...readServices(raw, tell)];
  const stated: DeviceAbout = { ...entry.about, ...(entry.name === undefined ? {} : { name: entry.name }) };
  return {
    edgeId: entry.edgeId ?? "",
    services,
    about: kind ? aboutKind(kind, stated) : stated,
    values: isDescribed ? readValues({ ...kind?.values, ...entry.values }, services, tell) : [],
    behaviours: [
      ...(kind ? kindBehaviours(kind, entry.lively ?? false) : []),
      ...(isDescribed ? readOwnBehaviours(raw, services, tell) : []),
    ],
    fault: entry.fault === undefined ? undefined : readDeviceFault(entry.fault, tell),
  };
}

/** Parts of the description that a hub would leave out, or that do not fit the node's frames of `max` bytes. */
function descriptionProblems(device: DeviceDefinition, max: number): readonly string[] {
  try {
    return decodeServices(encodeServices(device.services, device.about ?? {}, max)).problems;
  } catch (failure) {
    return [failure instanceof Error ? failure.message : String(failure)];
  }
}

/** The valid entries of a list with their positions: an invalid one does not hide the problems of the others. */
function entriesOf<Entry>(raw: unknown, key: string, schema: z.ZodType<Entry>): [number, Entry][] {
  const list = z.looseObject({ [key]: z.array(z.unknown()) }).safeParse(raw);
  return (list.data?.[key] ?? []).flatMap((item, at): [number, Entry][] => {
    const { data, success } = schema.safeParse(item);
    return success ? [[at, data]] : [];
  });
}

function readServices(raw: unknown, tell: Tell): ServiceDescription[] {
  return entriesOf(raw, "services", serviceEntry).map(([at, entry]) =>
    readService(entry, (text, ...path) => tell(text, "services", at, ...path)),
  );
}

function readService({ service, properties, ...entry }: ServiceEntry, tell: Tell): ServiceDescription {
  const index = String(entry.index);
  if (!properties) {
    const standard = standardService(service, index);
    if (standard.properties.length === 0) tell(`${service} is not a standard class: list its properties`, "service");
    return standard;
  }
  const described = properties.flatMap((property, at) => {
    if (typeof property !== "string") return property;
    const standard = standardProperty(service, property);
    if (!standard) tell(`${service}.${property} is not a standard property: describe it`, "properties", at);
    return standard ?? [];
  });
  return { service, index, properties: described };
}

function readOwnBehaviours(raw: unknown, services: DeviceDescription, tell: Tell): Behaviour[] {
  return entriesOf(raw, "behaviour", behaviourEntry).flatMap(([at, entry]) =>
    readBehaviours([entry], services, (text) => tell(text, "behaviour", at)),
  );
}

function readValues(
  given: Readonly<Record<string, Value>>,
  services: DeviceDescription,
  tell: Tell,
): [PropertyAddress, Value][] {
  const known = services.flatMap(({ service, index, properties }) =>
    properties.map(({ property }) => ({ service, index, property })),
  );
  // A later entry, such as the file's own, replaces an earlier one of the same property.
  const values = new Map<string, [PropertyAddress, Value]>();
  for (const [key, value] of Object.entries(given)) {
    const { service = "", index = "0", property = "" } = parseSelector(key) ?? {};
    const address = { service, index, property };
    const description = findProperty(services, address);
    if (!description) tell(unknownWord("property", key, known.map(addressKey)), "values", key);
    else {
      try {
        assertValue(description, value);
        values.set(addressKey(address), [address, value]);
      } catch (failure) {
        tell(`${key}: ${failure instanceof Error ? failure.message : String(failure)}`, "values", key);
      }
    }
  }
  return [...values.values()];
}

function readDeviceFault(text: string, tell: Tell): DeviceFault | undefined {
  const read = readFault(text);
  if (read.kind === "ok" && read.fault.of === "device") return read.fault.fault;
  tell(faultProblem(text, read, "a node: give it to one in its faults"), "fault");
  return undefined;
}

/** A sentence about an invalid fault. @param place the node or device with the fault, when it is another one */
function faultProblem(text: string, read: ReadFault, place: string): string {
  if (read.kind === "unknown") return unknownWord("fault", read.word, read.known);
  return read.kind === "problem" ? read.problem : `fault ${text} is of ${place}`;
}
