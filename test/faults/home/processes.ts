/** A home of real processes: service, hub, and each node of devices, with a line that can be broken between any two that speak. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "@porchlight/shared/kernel";
import { Api } from "../../parts/api.ts";
import { eventually } from "../../parts/eventually.ts";
import { freePort } from "../../parts/free-port.ts";
import { Program } from "../../parts/program.ts";
import { FIRST_VALUES, type NodeFile } from "./device/node-file.ts";
import type { Order } from "./device/program.ts";
import type { Breakable } from "./faults.ts";
import type { DeviceLine } from "./line/device-line.ts";
import { NetworkLine } from "./line/network-line.ts";
import { SerialLine } from "./line/serial-line.ts";
import { type Part, ProgramPart, recorded } from "./part.ts";
import { emptyRecord, type HomeRecord } from "./record.ts";
import { type Service, startService } from "./service.ts";

interface NodePlan {
  readonly name: string;
  readonly kind: "serial" | "network";
  readonly devices: readonly [string, ...string[]];
  /** It is no device itself. */
  readonly isBridge: boolean;
}

/** The last part of each device's edgeId. */
const NODES: readonly NodePlan[] = [
  { name: "lamp", kind: "serial", devices: ["01"], isBridge: false },
  { name: "strip", kind: "serial", devices: ["02"], isBridge: false },
  { name: "spot", kind: "network", devices: ["03"], isBridge: false },
  { name: "bridge", kind: "serial", devices: ["04", "05"], isBridge: true },
];
/** Other runs may try the same on this machine's loopback at the same time: each has devices of its own. */
const OWN = [process.pid >> 8, process.pid].map((byte) => (byte & 255).toString(16).padStart(2, "0").toUpperCase());
const edgeIdOf = (last: string) => `02-50-4C-${OWN.join("-")}-${last}`;

const OWNER = { email: "owner@home.example", password: "a-long-and-quiet-password" };
/** The published leases; a hub that comes back soon, so that it is there between two faults. */
const AGENT_ENV = { PORCHLIGHT_BACKOFF_FIRST_MS: "100", PORCHLIGHT_BACKOFF_CAP_MS: "2000" };
/** The device of the bridge that leaves and comes. */
const LEAVER = edgeIdOf("05");

export interface Running {
  readonly service: Service;
  readonly record: HomeRecord;
  readonly token: string;
  readonly clientId: string;
  /** Of the API at home. */
  readonly home: { readonly url: string; readonly token: string };
  /** ID of each device, by edgeId. */
  readonly ids: ReadonlyMap<string, string>;
  /** The record of each node, as a path. */
  readonly actFiles: readonly string[];
  readonly broken: Breakable;
  readonly logs: () => Readonly<Record<string, string>>;
}

export class HomeProcesses implements AsyncDisposable {
  readonly running: Running;
  readonly #stack: AsyncDisposableStack;

  private constructor(running: Running, stack: AsyncDisposableStack) {
    this.running = running;
    this.#stack = stack;
  }

  /** Starts everything and waits until every device is online, in the service and at home. @param folder of all that is kept */
  static async start(folder: string, nodes: number, seed: number): Promise<HomeProcesses> {
    await using stack = new AsyncDisposableStack();
    const nodeOf = NODES.flatMap(({ name, devices }) => devices.map((last) => [edgeIdOf(last), name] as const));
    const record = emptyRecord({ nodes, nodeOf: Object.fromEntries(nodeOf), first: FIRST_VALUES });
    const service = stack.use(await startService(nodes, folder, seed));
    const owner = await makeOwner(service.urls[0], folder);
    const devices = await Promise.all(NODES.map((node, at) => startNode(stack, node, folder, record, seed * 100 + at)));
    const port = await freePort();
    const agent = stack.use(agentPart(folder, service.line.url, port, devices));
    await agent.start();
    const api = new Api(service.urls[0], owner.token);
    const ids = await allOnline(
      api,
      nodeOf.map(([edgeId]) => edgeId),
    );
    const home = { url: `http://127.0.0.1:${port}`, token: await homeToken(folder) };
    await allOnline(new Api(home.url, home.token), [...ids.keys()]);
    const every: Part[] = [...service.parts, agent, ...devices.map(({ part }) => part)];
    const broken: Breakable = {
      parts: new Map(every.map((part) => [part.name, recorded(part, record)])),
      serviceLine: service.line,
      deviceLines: new Map(devices.map(({ line }) => [line.name, line])),
      order: (node, order: Order) => devices.find(({ part }) => part.name === node)?.part.tell(JSON.stringify(order)),
      leaver: LEAVER,
    };
    const logs = () => ({ service: service.said, agent: agent.said, ...saidBy(devices) });
    const actFiles = devices.map(({ file }) => file.acts);
    const made = { service, record, ...owner, home, ids, actFiles, broken, logs };
    return new HomeProcesses(made, stack.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Names of the nodes, for a plan. */
export const NODE_NAMES = NODES.map(({ name }) => name) as [string, ...string[]];
export const BRIDGE = "bridge";

interface RunningNode {
  readonly part: ProgramPart;
  readonly line: DeviceLine;
  readonly file: NodeFile;
}

async function startNode(
  stack: AsyncDisposableStack,
  { name, kind, devices, isBridge }: NodePlan,
  folder: string,
  record: HomeRecord,
  seed: number,
): Promise<RunningNode> {
  mkdirSync(folder, { recursive: true });
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

function portOf(folder: string, node: string): string {
  return join(folder, `${node}.port`);
}

function agentPart(folder: string, cloud: string, port: number, devices: readonly RunningNode[]): ProgramPart {
  const serial = NODES.filter(({ kind }) => kind === "serial").flatMap(({ name }) => [
    "--serial",
    portOf(folder, name),
  ]);
  const args = ["--cloud", cloud, "--data", join(folder, "agent"), "--token-file", join(folder, "token"), ...serial];
  const onNetwork = devices.flatMap(({ file }) => (file.port === undefined ? [] : [file.edgeId]));
  const env = {
    ...AGENT_ENV,
    PORCHLIGHT_API_PORT: String(port),
    PORCHLIGHT_LAN: "127.0.0.1",
    PORCHLIGHT_LAN_ADMIT: onNetwork.join(),
  };
  return new ProgramPart("agent", "hub", async () => new Program("agent", "agent/src/main.ts", ["run", ...args], env));
}

async function makeOwner(url: string, folder: string): Promise<{ readonly token: string; readonly clientId: string }> {
  const nobody = new Api(url);
  const { environmentId } = await nobody.good<{ environmentId: string }>("POST", "/api/accounts", OWNER);
  const { token } = await nobody.good<{ token: string }>("POST", "/api/accounts/login", { ...OWNER, console: true });
  const api = nobody.as(token);
  const { id: clientId } = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
  const made = await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`);
  writeFileSync(join(folder, "token"), made.token, { mode: 0o600 });
  return { token, clientId };
}

async function homeToken(folder: string): Promise<string> {
  const args = ["token", "create", "--name", "run", "--data", join(folder, "agent")];
  await using program = new Program("token", "agent/src/main.ts", args);
  return await program.line((line) => line);
}

/** Settles when an API shows all of these devices online; gives the ID of each. */
function allOnline(api: Api, edgeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return eventually("every device is online", async () => {
    const { items } = await api.good<{ items: { id: string; edgeId: string; connection: { state: string } }[] }>(
      "GET",
      "/api/devices",
    );
    const online = items.filter(({ connection }) => connection.state === "online");
    const ids = new Map(online.map(({ id, edgeId }) => [edgeId, id]));
    return edgeIds.every((edgeId) => ids.has(edgeId)) ? ids : undefined;
  });
}

function saidBy(nodes: readonly RunningNode[]): Readonly<Record<string, string>> {
  return Object.fromEntries(nodes.map(({ part }) => [part.name, part.said]));
}
