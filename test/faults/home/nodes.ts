/** The nodes of devices that speak our own protocol, each a process with a line to the hub that can be broken. */
import { join } from "node:path";
import { seededRandom } from "@porchlight/shared/kernel";
import { Program } from "../../parts/program.ts";
import type { NodeFile } from "./device/node-file.ts";
import type { DeviceLine } from "./line/device-line.ts";
import { NetworkLine } from "./line/network-line.ts";
import { SerialLine } from "./line/serial-line.ts";
import { ProgramPart } from "./part.ts";
import type { HomeRecord } from "./record.ts";

interface NodePlan {
  readonly name: string;
  readonly kind: "serial" | "network";
  readonly devices: readonly [string, ...string[]];
  /** It is no device itself. */
  readonly isBridge: boolean;
}

/** The last part of each device's edgeId. */
export const NODES: readonly NodePlan[] = [
  { name: "lamp", kind: "serial", devices: ["01"], isBridge: false },
  { name: "strip", kind: "serial", devices: ["02"], isBridge: false },
  { name: "spot", kind: "network", devices: ["03"], isBridge: false },
  { name: "bridge", kind: "serial", devices: ["04", "05"], isBridge: true },
];
/** Other runs may try the same on this machine's loopback at the same time: each has devices of its own. */
const OWN = [process.pid >> 8, process.pid].map((byte) => (byte & 255).toString(16).padStart(2, "0").toUpperCase());
export const edgeIdOf = (last: string) => `02-50-4C-${OWN.join("-")}-${last}`;

/** The device of the bridge that leaves and comes. */
export const LEAVER = edgeIdOf("05");

/** Names of the nodes, for a plan. */
export const NODE_NAMES = NODES.map(({ name }) => name) as [string, ...string[]];
export const BRIDGE = "bridge";

export interface RunningNode {
  readonly part: ProgramPart;
  readonly line: DeviceLine;
  readonly file: NodeFile;
}

/** @param folder of its files; it has been made */
export async function startNode(
  stack: AsyncDisposableStack,
  { name, kind, devices, isBridge }: NodePlan,
  folder: string,
  record: HomeRecord,
  seed: number,
): Promise<RunningNode> {
  const socket = join(folder, `${name}.socket`);
  const options = { name, socket, random: seededRandom(seed), record };
  const network = kind === "network" ? stack.use(await NetworkLine.open(options)) : undefined;
  const file: NodeFile = {
    name,
    edgeId: isBridge ? edgeIdOf("00") : edgeIdOf(devices[0]),
    devices: devices.map(edgeIdOf),
    socket,
    acts: join(folder, `${name}.acts.jsonl`),
    ...(network && { port: network.port }),
  };
  const part = new ProgramPart(name, "device", async () => {
    const program = new Program(name, "test/faults/home/device/program.ts", [JSON.stringify(file)]);
    await program.line((line) => (line === "ready" ? true : undefined));
    return program;
  });
  stack.use(part);
  await part.start();
  const line = network ?? stack.use(SerialLine.open(options, portOf(folder, name)));
  return { part, line, file };
}

/** Where the hub finds the port of a serial line. */
export function portOf(folder: string, node: string): string {
  return join(folder, `${node}.port`);
}
