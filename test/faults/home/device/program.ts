/**
 * A node with its devices as a process of its own, which records each act before it answers: killed or stopped, its
 * record is what its devices did. Its one argument is a {@link nodeFile} in JSON; orders come on stdin, one JSON a line.
 */
import { existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { SimulatedNode } from "@porchlight/firmware-sim";
import type { DeviceFault } from "@porchlight/firmware-sim/simulator/device-fault.ts";
import { Announcer } from "@porchlight/firmware-sim/simulator/links/announcer.ts";
import { socketLink } from "@porchlight/firmware-sim/simulator/links/socket-link.ts";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { z } from "zod";
import { type Act, machineTime } from "../record.ts";
import { readActs } from "./act-file.ts";
import { deviceDefinition, nodeFile } from "./node-file.ts";

const order = z.discriminatedUnion("do", [
  z.object({ do: z.literal("turn"), device: z.string(), property: z.string(), value: z.number() }),
  z.object({ do: z.literal("busy"), times: z.number() }),
  z.object({ do: z.literal("stale"), ms: z.number() }),
  z.object({ do: z.literal("forget"), times: z.number() }),
  z.object({ do: z.literal("well") }),
  z.object({ do: z.literal("reboot") }),
  z.object({ do: z.literal("leave"), device: z.string() }),
  z.object({ do: z.literal("come"), device: z.string() }),
]);
export type Order = z.input<typeof order>;

const settings = nodeFile.parse(JSON.parse(process.argv[2] ?? ""));
/** Of each device, by `SERVICE.PROPERTY`: what it keeps over a boot. */
const values = new Map<string, Map<string, Value>>(settings.devices.map((edgeId) => [edgeId, new Map()]));
if (existsSync(settings.acts))
  for (const { device, property, value } of readActs(readFileSync(settings.acts, "utf8")))
    values.get(device)?.set(property, value as Value);
const file = openSync(settings.acts, "a");
/** Devices that have not left. */
const present = new Set(settings.devices);
/** Of the WRITE that is being carried out. */
let seq = -1;

const definitionOf = (edgeId: string) => deviceDefinition(edgeId, values.get(edgeId) ?? new Map());
const node: SimulatedNode = SimulatedNode.start({
  clock: systemClock,
  random: systemRandom,
  definition: { edgeId: settings.edgeId, win: 2, devices: settings.devices.map(definitionOf) },
  trace: (event) => {
    if (event.direction !== "in" || !("body" in event) || event.body.kind !== "message") return;
    if (event.body.message.type === "WRITE") seq = event.body.message.seq;
  },
  acted: (device, { service, property }, value) => write(device, `${service}.${property}`, value, "write"),
});

function write(device: string, property: string, value: Value, by: Act["by"]): void {
  values.get(device)?.set(property, value);
  const act: Act = { at: machineTime(), device, property, value, by, seq: by === "write" ? seq : -1, boot: node.boot };
  writeSync(file, `${JSON.stringify(act)}\n`);
}

function failAll(fault: DeviceFault): void {
  for (const device of node.devices) node.fail(device, fault);
}

function obey(line: string): void {
  const asked = order.parse(JSON.parse(line));
  switch (asked.do) {
    case "turn":
      if (!present.has(asked.device)) return;
      write(asked.device, asked.property, asked.value, "person");
      node.device(asked.device).turn(asked.property, asked.value);
      break;
    case "busy":
      failAll({ mode: "busy", times: asked.times });
      break;
    case "stale":
      failAll({ mode: "stale", ms: asked.ms });
      break;
    case "forget":
      failAll({ mode: "forget", times: asked.times });
      break;
    case "well":
      failAll({ mode: "none" });
      break;
    case "reboot":
      node.reboot();
      break;
    case "leave":
      if (present.delete(asked.device)) node.remove(asked.device);
      break;
    case "come":
      if (present.has(asked.device)) return;
      present.add(asked.device);
      node.add(definitionOf(asked.device));
      break;
  }
}

rmSync(settings.socket, { force: true });
const server = createServer((socket) => node.attach(socketLink(socket)));
await new Promise<void>((resolve) => server.listen(settings.socket, resolve));
if (settings.port !== undefined) {
  const announcer = await Announcer.open("127.0.0.1", systemClock);
  announcer.announce({ edgeId: settings.edgeId, port: settings.port, tls: false });
}
const orders = createInterface({ input: process.stdin });
orders.on("line", obey);
// Its parent process is gone.
orders.on("close", () => process.exit(0));
process.stdout.write("ready\n");
