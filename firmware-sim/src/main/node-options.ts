/** What the command line says of nodes, on top of their files: where their ports are, and what is wrong with them. */
import type { DeviceDefinition, NodeDefinition } from "../simulator/devices/definition.ts";
import { unknownWord } from "../simulator/devices/file/suggestion.ts";
import { NO_FAULT } from "../simulator/faults/device-fault.ts";
import { type Fault, readFault } from "../simulator/faults/fault-words.ts";
import { NO_NODE_FAULTS, withFault } from "../simulator/faults/node-faults.ts";
import { UsageError } from "./usage.ts";

/** The nodes with the stable paths of `--link`. @throws UsageError */
export function linked(nodes: readonly NodeDefinition[], links: readonly string[]): NodeDefinition[] {
  const named = new Map<string, string>();
  for (const link of links) {
    const [node, path] = link.includes("=")
      ? [link.slice(0, link.indexOf("=")), link.slice(link.indexOf("=") + 1)]
      : ["", link];
    if (node === "" && nodes.length > 1) throw new UsageError(`--link ${link}: say which node, as NODE=PATH`);
    const found = node === "" ? nodes[0] : nodes.find(({ edgeId, name }) => edgeId === node || name === node);
    if (!found || path === "") throw new UsageError(`--link ${link}: there is no node ${node}`);
    named.set(found.edgeId, path);
  }
  return nodes.map((node) => ({ ...node, link: named.get(node.edgeId) ?? node.link }));
}

/** The nodes with the faults of `--fault`: `[NODE|EDGEID:]NAME[=AMOUNT]`, of every node when it does not say which. @throws UsageError */
export function faulted(nodes: readonly NodeDefinition[], faults: readonly string[]): readonly NodeDefinition[] {
  return faults.reduce((faulty, text) => withOne(faulty, text), nodes);
}

function withOne(nodes: readonly NodeDefinition[], text: string): readonly NodeDefinition[] {
  const colon = text.lastIndexOf(":");
  const [who, words] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
  const read = readFault(words);
  if (read.kind === "unknown") throw new UsageError(`--fault ${text}: ${unknownWord("fault", read.word, read.known)}`);
  if (read.kind === "problem") throw new UsageError(`--fault ${text}: ${read.problem}`);
  let isKnown = false;
  const changed = nodes.map((node) => {
    // What is wrong with a line is wrong with it for every device behind it.
    const isNode = who === "" || node.edgeId === who || node.name === who;
    const devices = node.devices.map((device) => {
      if (!isNode && device.edgeId !== who) return device;
      isKnown = true;
      return withDeviceFault(device, read.fault);
    });
    const isOfNode = isNode || (read.fault.of === "node" && node.devices.some(({ edgeId }) => edgeId === who));
    return isOfNode ? withNodeFault({ ...node, devices }, read.fault) : { ...node, devices };
  });
  if (!isKnown) throw new UsageError(`--fault ${text}: there is no node or device ${who}`);
  return changed;
}

function withDeviceFault(device: DeviceDefinition, fault: Fault): DeviceDefinition {
  if (fault.of === "node") return device;
  return { ...device, fault: fault.of === "device" ? fault.fault : NO_FAULT };
}

function withNodeFault(node: NodeDefinition, fault: Fault): NodeDefinition {
  if (fault.of === "all") return { ...node, faults: NO_NODE_FAULTS };
  if (fault.of === "device") return node;
  return { ...node, faults: withFault(node.faults ?? NO_NODE_FAULTS, fault.name, fault.amount) };
}
