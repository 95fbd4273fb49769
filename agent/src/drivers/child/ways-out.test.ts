import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { childProcess } from "./child-process.ts";
import { sandboxProblem } from "./sandbox.ts";

/** Tries each way out, by name, and sends what came of it. It has Node.js without `--permission` when the test asks for that. */
const TRIES = `
const [{ spawnSync }, { default: fs }, { default: net }] = await Promise.all(
  ["child_process", "fs", "net"].map((name) => import("node:" + name)),
);
const { data, agent, abstract, tcp } = JSON.parse(fs.readFileSync(new URL("about.json", import.meta.url)));
const came = {};
const tried = (name, act) => { try { came[name] = String(act()); } catch (failure) { came[name] = failure.code ?? failure.message; } };
const connected = (name, to) => new Promise((resolve) => {
  let socket;
  try { socket = net.connect(to); } catch (failure) { came[name] = failure.code; return resolve(); }
  socket.once("connect", () => { came[name] = "connected"; socket.destroy(); resolve(); });
  socket.once("error", (failure) => { came[name] = failure.code; resolve(); });
});
tried("key", () => fs.readFileSync(data + "/identity.key", "utf8"));
tried("secret", () => fs.readFileSync(data + "/control.secret", "utf8"));
tried("list", () => fs.readdirSync(data));
tried("write", () => fs.writeFileSync(new URL("stolen", import.meta.url), "x"));
tried("environ", () => fs.readFileSync("/proc/" + agent + "/environ", "utf8"));
tried("descriptors", () => fs.readdirSync("/proc/" + agent + "/fd"));
tried("run", () => fs.readdirSync("/run"));
tried("signal", () => process.kill(agent, 0));
tried("spawn", () => { const { error, status } = spawnSync("/bin/mount", ["-t", "tmpfs", "x", "/tmp"]); if (error) throw error; return status === 0 ? "mounted" : "refused"; });
await connected("control", data + "/agent.sock");
await connected("abstract", "\\0" + abstract);
await connected("network", { port: tcp, host: "127.0.0.1" });
fs.writeSync(3, JSON.stringify({ came }) + "\\n");
setInterval(() => undefined, 1000);
`;
const word = z.object({ came: z.record(z.string(), z.string()) });

let folder: string;
let data: string;
const servers: Server[] = [];
const abstract = `porchlight-ways-out-${process.pid}`;

async function listening(on: string | number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(on, () => resolve()));
  return server;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-ways-out-"));
  data = join(folder, "data");
  mkdirSync(join(data, "drivers", "bad"), { recursive: true });
  writeFileSync(join(data, "identity.key"), "the private key");
  writeFileSync(join(data, "control.secret"), "the secret");
  await listening(join(data, "agent.sock"));
  await listening(`\0${abstract}`);
  const address = (await listening(0)).address();
  const tcp = typeof address === "object" ? address?.port : undefined;
  const own = join(data, "drivers", "bad");
  writeFileSync(join(own, "bad.mjs"), TRIES);
  writeFileSync(join(own, "about.json"), JSON.stringify({ data, agent: process.pid, abstract, tcp }));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  rmSync(folder, { recursive: true, force: true });
});

interface Way {
  readonly isSandboxed: boolean;
  readonly mayUseNetwork?: boolean;
  readonly hasPermissions?: boolean;
}

async function cameOf({ isSandboxed, mayUseNetwork = false, hasPermissions = true }: Way) {
  const own = join(data, "drivers", "bad");
  // A NODE_OPTIONS of its own takes the place of the agent's.
  const command = hasPermissions ? process.execPath : "/usr/bin/env";
  const args = [...(hasPermissions ? [] : ["-u", "NODE_OPTIONS", process.execPath]), join(own, "bad.mjs")];
  const child = childProcess({
    ...{ name: "bad", folder: own, memoryMb: 64, mayOpenDevices: false, mayUseNetwork, isSandboxed, env: {} },
    ...{ program: { command, args, reads: [process.execPath] }, clock: systemClock, log: silentLog },
  });
  const answer = Promise.withResolvers<unknown>();
  child.listen({ received: answer.resolve, closed: (why) => answer.reject(new Error(why)), mayTouch: () => false });
  try {
    return word.parse(await answer.promise).came;
  } finally {
    child.close("the test is over");
    await child.gone;
  }
}

describe("a driver in a child", () => {
  test("that gets round Node's own permissions has no way out of its sandbox", async () => {
    // Of the data folder there is the path to its own folder, and nothing else.
    expect(await cameOf({ isSandboxed: true, hasPermissions: false })).toEqual({
      ...{ key: "ENOENT", secret: "ENOENT", list: "drivers", write: "EROFS", environ: "ENOENT", descriptors: "ENOENT" },
      ...{ run: "ENOENT", signal: "ESRCH", spawn: "refused" },
      ...{ control: "ENOENT", abstract: "ECONNREFUSED", network: "ENETUNREACH" },
    });
    expect(readFileSync(join(data, "identity.key"), "utf8")).toBe("the private key");
  });

  test("that wants the network has it, and with it the sockets without a file, which nothing of the agent listens on", async () => {
    const came = await cameOf({ isSandboxed: true, mayUseNetwork: true });
    expect(came).toMatchObject({ network: "connected", control: "ENOENT", signal: "ESRCH" });
  });

  test("reads no secret by Node's permissions, also on a system that cannot sandbox it", async () => {
    const came = await cameOf({ isSandboxed: false });
    const denied = "ERR_ACCESS_DENIED";
    expect(came).toMatchObject({
      ...{
        key: denied,
        secret: denied,
        list: denied,
        write: denied,
        environ: denied,
        descriptors: denied,
        spawn: denied,
      },
    });
  });
});

test("why a system cannot sandbox a child is named, and where it can there is no problem", async () => {
  const program = { command: process.execPath, args: [], reads: [] };
  const view = { reads: [folder], mayOpenDevices: false, mayUseNetwork: false };
  expect(await sandboxProblem(program, view)).toBeUndefined();
  expect(
    await sandboxProblem(program, { ...view, reads: ["/mnt", "/media", "/srv", "/opt", "/var/tmp", "/home", "/tmp"] }),
  ).toMatch(/\S/);
});
