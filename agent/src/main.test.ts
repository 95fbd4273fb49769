import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";

const MAIN = programFile("agent/src/main.ts");

let folder = "";
let cloud: Server;
let asked: (string | undefined)[] = [];
const children: ChildProcess[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-main-"));
  asked = [];
  cloud = createServer();
  cloud.on("upgrade", (request, socket) => {
    asked.push(request.headers.authorization);
    // An agent that is killed breaks off.
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
  });
  cloud.listen(0, "127.0.0.1");
  await once(cloud, "listening");
  writeFileSync(join(folder, "the-token"), "plt_cli_very_secret\n", { mode: 0o600 });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

function program(...args: string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const printed = { out: "", err: "" };
  child.stdout.on("data", (data) => (printed.out += data));
  child.stderr.on("data", (data) => (printed.err += data));
  const ended = once(child, "close").then(([code]: unknown[]) => code);
  /** Settles when stderr holds the words. */
  const says = async (words: string) => {
    while (!printed.err.includes(words)) await once(child.stderr, "data");
  };
  return { child, printed, ended, says };
}

const run = (...more: string[]) => {
  const { port } = cloud.address() as AddressInfo;
  return program(
    "run",
    "--cloud",
    `http://127.0.0.1:${port}`,
    "--data",
    join(folder, "data"),
    "--token-file",
    join(folder, "the-token"),
    ...more,
  );
};
const status = async () => {
  const { printed, ended } = program("status", "--data", join(folder, "data"), "--json");
  const code = await ended;
  return { code, answer: JSON.parse(printed.out) };
};

describe("porchlight-agent", () => {
  test("runs, reports its status, shows its token to the cloud alone, and ends in order on SIGTERM", async () => {
    const agent = run("--edge-id", "02-00-00-00-00-07");
    await agent.says("does not accept this hub");
    const { code, answer } = await status();
    expect([code, answer]).toMatchObject([
      4,
      { edgeId: "02-00-00-00-00-07", paired: true, tunnel: { state: "waiting", reason: "rejected" } },
    ]);
    expect(asked).toEqual(["Bearer plt_cli_very_secret"]);
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);

    const second = run();
    expect(await second.ended).toBe(1);
    expect(second.printed.err).toContain("another agent is using");

    agent.child.kill("SIGTERM");
    expect(await agent.ended).toBe(0);
    expect(agent.printed.out).toBe("");
    expect(agent.printed.err).not.toContain("secret");
    expect((await status()).answer).toEqual({ state: "not_running" });
  });

  test("killed without warning is not reported as running, and starts again", async () => {
    const agent = run();
    await agent.says("the agent runs");
    agent.child.kill("SIGKILL");
    await agent.ended;
    expect(await status()).toEqual({ code: 6, answer: { state: "not_running" } });
    const again = run();
    await again.says("the agent runs");
    again.child.kill("SIGINT");
    expect(await again.ended).toBe(0);
  });

  test.each([
    [["sing"], 2, "unknown command 'sing'"],
    [["run", "--cloud", "nowhere"], 2, "2 settings are wrong"],
    [["run", "--cloud", "http://127.0.0.1:1", "--data", "/dev/null/x"], 1, "porchlight-agent: "],
    [
      ["run", "--cloud", "http://127.0.0.1:1", "--data", "data", "--token-file", "/nowhere/token"],
      1,
      "cannot be read (ENOENT)",
    ],
    [["--version"], 0, ""],
  ])(
    "%j ends with status %i",
    async (args, expected, words) => {
      const { printed, ended } = program(...args);
      expect(await ended).toBe(expected);
      expect(printed.err).toContain(words);
    },
    30_000,
  );
});
