/** A home of real processes: service, hub, and each node of devices, with a line that can be broken between any two that speak. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "../../parts/api.ts";
import { eventually } from "../../parts/eventually.ts";
import { freePort } from "../../parts/free-port.ts";
import { Program } from "../../parts/program.ts";
import type { Order } from "./device/program.ts";
import type { Breakable } from "./faults.ts";
import { DriverPart } from "./matter/driver-part.ts";
import { installDriver, MatterNode, SHUTTER_EDGE_ID, SHUTTER_NAME } from "./matter/matter-node.ts";
import { edgeIdOf, LEAVER, NODES, portOf, type RunningNode, startNode } from "./nodes.ts";
import { type Part, ProgramPart, recorded } from "./part.ts";
import { FIRST_VALUES } from "./properties.ts";
import { emptyRecord, type HomeRecord } from "./record.ts";
import { type Service, startService } from "./service.ts";

const OWNER = { email: "owner@home.example", password: "a-long-and-quiet-password" };
/** The published leases; a hub that comes back soon, so that it is there between two faults. */
const AGENT_ENV = { PORCHLIGHT_BACKOFF_FIRST_MS: "100", PORCHLIGHT_BACKOFF_CAP_MS: "2000" };

export interface Running {
  readonly service: Service;
  readonly record: HomeRecord;
  readonly token: string;
  readonly clientId: string;
  /** Of the API at home. */
  readonly home: { readonly url: string; readonly token: string };
  /** ID of each device, by edgeId. */
  readonly ids: ReadonlyMap<string, string>;
  /** edgeId of the one behind the Matter driver, if the run has one. */
  readonly matterDevice: string | undefined;
  /** The record of each node, as a path. */
  readonly actFiles: readonly string[];
  readonly broken: Breakable;
  readonly logs: () => Readonly<Record<string, string>>;
}

export interface HomePlan {
  /** Of all that is kept. */
  readonly folder: string;
  /** Of the service. */
  readonly nodes: number;
  readonly seed: number;
  /** Whether there is a Matter device, behind the driver as it is released. */
  readonly hasMatter: boolean;
}

export class HomeProcesses implements AsyncDisposable {
  readonly running: Running;
  readonly #stack: AsyncDisposableStack;

  private constructor(running: Running, stack: AsyncDisposableStack) {
    this.running = running;
    this.#stack = stack;
  }

  /** Starts everything and waits until every device is online, in the service and at home. */
  static async start({ folder, nodes, seed, hasMatter }: HomePlan): Promise<HomeProcesses> {
    await using stack = new AsyncDisposableStack();
    mkdirSync(folder, { recursive: true });
    const matterDevice = hasMatter ? SHUTTER_EDGE_ID : undefined;
    const record = emptyRecord({ nodes, nodeOf: nodeOf(hasMatter), first: FIRST_VALUES, matterDevice });
    const service = stack.use(await startService(nodes, folder, seed));
    const owner = await makeOwner(service.urls[0], folder);
    const devices = await Promise.all(NODES.map((node, at) => startNode(stack, node, folder, record, seed * 100 + at)));
    const matter = hasMatter ? stack.use(await MatterNode.start(folder)) : undefined;
    const config = hasMatter ? await installDriver(folder, join(folder, "agent")) : undefined;
    const port = await freePort();
    const agent = stack.use(agentPart({ folder, cloud: service.line.url, port, devices, config }));
    await agent.start();
    const api = new Api(service.urls[0], owner.token);
    await matter?.pair(api, owner.clientId);
    const ids = await allOnline(api, Object.keys(record.nodeOf));
    const home = { url: `http://127.0.0.1:${port}`, token: await homeToken(folder) };
    await allOnline(new Api(home.url, home.token), [...ids.keys()]);
    const deviceParts = [...devices.map(({ part }) => part), ...(matter ? [matter.part] : [])];
    const driver = matter ? [new DriverPart(() => agent.pid)] : [];
    const every: Part[] = [...service.parts, agent, ...driver, ...deviceParts];
    const broken: Breakable = {
      parts: new Map(every.map((part) => [part.name, recorded(part, record)])),
      serviceLine: service.line,
      deviceLines: new Map(devices.map(({ line }) => [line.name, line])),
      cable: matter?.cable,
      order: (node, order: Order) => deviceParts.find(({ name }) => name === node)?.order(JSON.stringify(order)),
      leaver: LEAVER,
    };
    const deviceLogs = () => Object.fromEntries(deviceParts.map(({ name, stderr }) => [name, stderr]));
    const logs = () => ({ service: service.stderr, agent: agent.stderr, ...deviceLogs() });
    const actFiles = [...devices.map(({ file }) => file.acts), ...(matter ? [matter.acts] : [])];
    const made = { service, record, ...owner, home, ids, matterDevice, actFiles, broken, logs };
    return new HomeProcesses(made, stack.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** The node of each device. */
function nodeOf(hasMatter: boolean): Readonly<Record<string, string>> {
  const own = NODES.flatMap(({ name, devices }) => devices.map((last) => [edgeIdOf(last), name] as const));
  return Object.fromEntries(hasMatter ? [...own, [SHUTTER_EDGE_ID, SHUTTER_NAME]] : own);
}

interface AgentPlan {
  readonly folder: string;
  /** Where it finds the service. */
  readonly cloud: string;
  /** Of its API at home. */
  readonly port: number;
  readonly devices: readonly RunningNode[];
  /** Its settings file, if it has one. */
  readonly config: string | undefined;
}

function agentPart({ folder, cloud, port, devices, config }: AgentPlan): ProgramPart {
  const lines = NODES.filter(({ kind }) => kind === "serial");
  const serial = lines.flatMap(({ name }) => ["--serial", portOf(folder, name)]);
  const args = ["--cloud", cloud, "--data", join(folder, "agent"), "--token-file", join(folder, "token"), ...serial];
  const onNetwork = devices.flatMap(({ file }) => (file.port === undefined ? [] : [file.edgeId]));
  const env = {
    ...AGENT_ENV,
    ...(config !== undefined && { PORCHLIGHT_CONFIG: config }),
    PORCHLIGHT_API_PORT: String(port),
    PORCHLIGHT_LAN: "127.0.0.1",
    PORCHLIGHT_LAN_ADMIT: onNetwork.join(),
  };
  return new ProgramPart("agent", "hub", async () => new Program("agent", "agent/src/main.ts", ["run", ...args], env));
}

async function makeOwner(url: string, folder: string): Promise<{ readonly token: string; readonly clientId: string }> {
  const anonymous = new Api(url);
  const { environmentId } = await anonymous.good<{ environmentId: string }>("POST", "/api/accounts", OWNER);
  const { token } = await anonymous.good<{ token: string }>("POST", "/api/accounts/login", { ...OWNER, console: true });
  const api = anonymous.as(token);
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
