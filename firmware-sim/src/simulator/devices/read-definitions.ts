/** Reads a simulator file: YAML in, nodes ready to start out, or every problem at once, each with its line. */
import { NO_NODE_FAULTS, type NodeFaults, readFault, withFault } from "../fault-words.ts";
import type { DeviceDefinition, NodeDefinition } from "./definition.ts";
import { definitionFile, type NodeEntry, nodeEntry } from "./definition-schema.ts";
import { descriptionProblems, faultProblem, readDevice } from "./read-device.ts";
import { type FileProblem, type Path, readYaml, salvage, withLines } from "./schema-problems.ts";

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
