/** A driver in a package that tries each way out of its child when its device is set, and shows in its status what came of each. */
import { packDriver } from "./packed-driver.ts";

export interface EscapingDriver {
  readonly name: string;
  /** Of its only device: a switch. */
  readonly edgeId: string;
  readonly wants: readonly "network"[];
}

export const ESCAPING: EscapingDriver = { name: "escaping", edgeId: "02-1B-44-00-00-0A", wants: [] };
/** The same with the network. */
export const ESCAPING_BY_NETWORK: EscapingDriver = {
  ...{ name: "escaping-by-network", edgeId: "02-1B-44-00-00-0B", wants: ["network"] },
};

/** What the driver gets to know of its hub, as its settings. */
export interface WaysOut {
  /** The agent's data folder. */
  readonly data: string;
  /** Port of the API at home. */
  readonly api: number;
  /** Name of a socket without a file, on which the test listens. */
  readonly abstract: string;
}

/** Node's permissions keep it from files and programs; sockets and signals are left. */
const CODE = `
const fs = require("node:fs"), net = require("node:net"), { execSync } = require("node:child_process");
const tried = (act) => { try { return String(act()); } catch (failure) { return failure.code ?? failure.message; } };
const asked = (to, words) => new Promise((resolve) => {
  let heard = "";
  const socket = net.connect(to, () => socket.end(words));
  socket.on("data", (data) => { heard += data; });
  socket.once("error", (failure) => resolve(failure.code));
  socket.once("close", () => resolve(heard.slice(0, 400)));
});
const connected = (to) => new Promise((resolve) => {
  const socket = net.connect(to, () => { socket.destroy(); resolve("connected"); });
  socket.once("error", (failure) => resolve(failure.code));
});
async function tries({ data, api, abstract }) {
  const control = async (question) => {
    const heard = await asked({ path: data + "/agent.sock" }, JSON.stringify(question) + "\\n");
    try { return JSON.parse(heard).refused ?? heard; } catch { return heard; }
  };
  const request = "GET /api/devices HTTP/1.1\\r\\nhost: hub\\r\\nconnection: close\\r\\n\\r\\n";
  return {
    key: tried(() => fs.readFileSync(data + "/identity.key")),
    secret: tried(() => fs.readFileSync(data + "/control.secret")),
    folder: tried(() => fs.readdirSync(data)),
    environ: tried(() => fs.readFileSync("/proc/" + process.ppid + "/environ")),
    program: tried(() => execSync("id")),
    // A process whose parent is in another namespace has none.
    signal: process.ppid === 0 ? "no parent" : tried(() => process.kill(process.ppid, 0)),
    status: await control({ ask: "status" }),
    token: await control({ ask: "token create", about: { label: "stolen" } }),
    backup: await control({ ask: "backup" }),
    abstract: await connected({ path: "\\0" + abstract }),
    devices: (await asked({ host: "127.0.0.1", port: api }, request)).split("\\r")[0],
  };
}
module.exports = { api: 1, start: ({ host, kit, settings }) => {
  let came;
  const on = { property: "on", type: "boolean", access: ["read", "write"] };
  const device = { edgeId: settings.edgeId, about: { name: "escaping" }, transport: "nowhere",
    description: [{ service: "Switch", index: "0", properties: [on] }] };
  let value = false;
  const arrive = () => { if (host.arrived(device) !== "admitted") host.whenFree(device.edgeId, arrive); };
  arrive();
  return {
    name: settings.edgeId, has: () => true, status: () => ({ came }),
    read: async () => kit.valueResult(value),
    write: (_device, _address, wanted, attempt) => kit.carryOut(attempt, async (watched) => {
      watched.touch(() => { value = wanted; });
      came = await tries(settings);
      return { now: value };
    }),
    async [Symbol.asyncDispose]() {},
  };
} };
`;

/** Packs it into an empty folder. @returns the archive's path */
export function packEscaping(out: string, { name, wants }: EscapingDriver): string {
  const porchlight = { api: 1, entry: "driver.cjs", memoryMb: 32, wants };
  const manifest = { name: `porchlight-driver-${name}`, version: "1.0.0", porchlight };
  return packDriver(out, manifest, { "driver.cjs": CODE });
}

/** The driver's part of the agent's settings. */
export function escapingSettings({ name, edgeId }: EscapingDriver, ways: WaysOut): Record<string, object> {
  return { [name]: { admit: [edgeId], edgeId, ...ways } };
}

const DENIED = "ERR_ACCESS_DENIED";
/** What Node's permissions refuse, on every system. */
const DENIED_BY_NODE = { key: DENIED, secret: DENIED, folder: DENIED, environ: DENIED, program: DENIED };

/** What comes of each try in a sandbox: there is no control socket, no other process and no network. */
export const CLOSED = {
  ...DENIED_BY_NODE,
  ...{ signal: "no parent", status: "ENOENT", token: "ENOENT", backup: "ENOENT" },
  ...{ abstract: "ECONNREFUSED", devices: "ENETUNREACH" },
};

const UNAUTHORIZED = "HTTP/1.1 401 Unauthorized";
/** The same of a driver that has the network: the API at home asks it for a token. */
export const CLOSED_TO_NETWORK = { ...CLOSED, abstract: "connected", devices: UNAUTHORIZED };

const WITHOUT_SECRET = "the request has not the secret of this agent: ask as root, or as the agent's user";
/** The same where the system allows no sandbox: the control socket is there, and answers nothing without the secret. */
export const CLOSED_WITHOUT_SANDBOX = {
  ...DENIED_BY_NODE,
  ...{ status: WITHOUT_SECRET, token: WITHOUT_SECRET, backup: WITHOUT_SECRET, devices: UNAUTHORIZED },
};
