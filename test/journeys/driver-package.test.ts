/** A third-party driver: added from a file, run in a process of its own, and what it costs the hub when it misbehaves. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStatus } from "@porchlight/agent/ops/control-socket.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { type DeviceSummary, Home } from "../parts/home.ts";
import { packDriver, packExample } from "../parts/packed-driver.ts";
import { type Ended, Program } from "../parts/program.ts";
import { RelayBoardServer } from "../parts/relay-board.ts";
import { casesOf } from "../parts/rounds.ts";
import { LAMP } from "../parts/simulator.ts";

const BOARD = "02-1B-44-00-00-01";
const SPINNER = "02-1B-44-00-00-02";

/** A driver with one device: the value written to it decides how the driver misbehaves. */
const MISCHIEF = `
const on = { property: "on", type: "boolean", access: ["read", "write"] };
const device = { edgeId: "${SPINNER}", about: { name: "mischief" }, transport: "nowhere",
  description: [0, 1, 2, 3].map((index) => ({ service: "Switch", index: String(index), properties: [on] })) };
module.exports = { api: 1, start: ({ host, kit, log }) => {
  const arrive = () => { if (host.arrived(device) !== "admitted") host.whenFree(device.edgeId, arrive); };
  arrive();
  const tries = ["/etc/hostname", __filename].map((path) => {
    try { require("node:fs").readFileSync(path); return "read"; } catch (failure) { return failure.code; }
  });
  let child; try { require("node:child_process").execSync("id"); child = "ran"; } catch (failure) { child = failure.code; }
  const kept = [];
  return {
    name: "mischief", has: () => true,
    status: () => ({ tries, child, env: Object.keys(process.env).sort() }),
    read: async () => kit.valueResult(false),
    write: (_device, { index }, value, attempt) => kit.carryOut(attempt, async (watched) => {
      watched.touch(() => undefined);
      if (index === "0") for (;;);
      if (index === "1") return void kept.push(Buffer.alloc(150 * 1024 * 1024, 1)) ?? { unknown: "full" };
      if (index === "3") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      for (;;) kept.push({ kept: kept.length });
    }),
    async [Symbol.asyncDispose]() {},
  };
} };
`;

/** How it misbehaves, the value that triggers it, and what the agent reports. To wait is as silent as to turn in a loop, and takes no processor. */
const ASTRAY = casesOf<readonly [string, string, RegExp]>(
  [
    ["waits without end", "3", /it stands still/],
    ["takes memory past its heap", "1", /MB of memory; the limit is 48/],
    ["takes a heap without end", "2", /more memory than it is allowed/],
  ],
  [["turns in a loop", "0", /it stands still/]],
);

describe("a driver in a package", () => {
  const stack = new AsyncDisposableStack();
  let folder: string;
  let data: string;
  let home: Home;
  let board: RelayBoardServer;
  let example: string;
  let mischief: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "porchlight-packages-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    data = join(folder, "data");
    mkdirSync(join(folder, "a"));
    mkdirSync(join(folder, "b"));
    example = await packExample(join(folder, "a"));
    const porchlight = { api: 1, entry: "driver.cjs", memoryMb: 32 };
    const manifest = { name: "@somebody/porchlight-driver-mischief", version: "0.1.0", porchlight };
    mischief = packDriver(join(folder, "b"), manifest, { "driver.cjs": MISCHIEF });
    board = stack.use(await RelayBoardServer.start(BOARD));
  });
  afterAll(() => stack.disposeAsync());

  /** Runs a command of the agent to its end. */
  async function command(...args: string[]): Promise<Ended & { readonly stderr: string; readonly lines: string[] }> {
    const lines: string[] = [];
    await using program = new Program("command", "agent/src/main.ts", [...args, "--data", data]);
    void program.line((line) => void lines.push(line)).catch(() => undefined);
    return { ...(await program.ended), stderr: program.stderr, lines };
  }
  async function link(name: string): Promise<Readonly<Record<string, unknown>>> {
    const asked = await readStatus(data, systemClock);
    const found = asked.kind === "running" ? asked.status.links.find((each) => each.name === name) : undefined;
    return Object.fromEntries(Object.entries(found?.detail ?? {}));
  }
  const pidOf = async (name: string) => Number((await link(name)).pid);
  const isAlive = (pid: number) => existsSync(`/proc/${pid}/fd/0`);
  async function online(edgeId: string): Promise<void> {
    await eventually(`${edgeId} is online`, async () => {
      const { items } = await home.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
      return items.find((each) => each.edgeId === edgeId)?.connection.state === "online";
    });
    await home.online();
  }
  const set = (edgeId: string, selector: string, value: boolean, wait?: number) =>
    home.put(edgeId, selector, value, wait);

  it("is shown with the rights that it wants before it is added, and added only as the expected file", async () => {
    const shown = await command("drivers", "add", example);
    expect(shown.code).toBe(5);
    expect(shown.lines.join("\n")).toMatch(/wants\s+the network\n.*32 MB/);
    const [, integrity = ""] = /(sha512-\S+)/.exec(shown.lines.join("\n")) ?? [];
    const other = await command(
      "drivers",
      "add",
      example,
      "--yes",
      "--integrity",
      integrity.replace(/^.{10}/, "sha512-AAA"),
    );
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining("not the file that was expected")]);
    expect((await command("drivers", "add", example, "--yes", "--integrity", integrity)).code).toBe(0);
    expect((await command("drivers", "add", mischief, "--yes")).code).toBe(0);
    const { lines } = await command("drivers", "list");
    expect(lines).toEqual([
      "porchlight-driver-example 1.0.0  network  32 MB",
      "@somebody/porchlight-driver-mischief 0.1.0  -  32 MB",
    ]);
  });

  it("brings its devices to the cloud, which sets them and receives their reports", async () => {
    const config = join(folder, "agent.yaml");
    const boards = `{admit: all, boards: [{host: 127.0.0.1, port: ${board.port}}]}`;
    writeFileSync(config, `drivers: {example: ${boards}, mischief: {admit: [${SPINNER}]}, absent: {}}\n`);
    home = stack.use(await Home.start({ agentData: data, agentEnv: { PORCHLIGHT_CONFIG: config } }));
    await online(BOARD);
    await online(SPINNER);
    expect(await set(BOARD, "Switch:2.on", true)).toMatchObject({ status: 200, body: { value: true } });
    expect(board.outputs).toEqual([false, false, true, false]);
    board.press(3, true);
    await eventually(
      "the press of the button is received",
      async () => (await home.cached(BOARD, "Switch:3.on"))?.value === true,
    );
    expect((await link("absent")).failure).toMatch(/no such package is installed/);
  });

  it("can read nothing of the hub but itself, runs no program, and has none of the agent's environment", async () => {
    expect(await link("mischief")).toMatchObject({
      tries: ["ERR_ACCESS_DENIED", "read"],
      child: "ERR_ACCESS_DENIED",
      env: expect.not.arrayContaining(["PORCHLIGHT_CONFIG", "PATH", "HOME"]),
    });
  });

  it("is the system's first choice when memory is short", async () => {
    expect(readFileSync(`/proc/${await pidOf("mischief")}/oom_score_adj`, "utf8")).toBe("1000\n");
  });

  it("that dies in the middle of a write leaves its outcome unknown, and its devices come back", async () => {
    board.isSilent = true;
    const received = board.hears("SET 0 ON");
    const writing = set(BOARD, "Switch:0.on", true);
    await received;
    process.kill(await pidOf("example"), "SIGKILL");
    expect((await writing).body).toMatchObject({ outcome: "unknown" });
    board.isSilent = false;
    await online(BOARD);
    await eventually("the truth is known", async () => (await home.cached(BOARD, "Switch:0.on"))?.value === true);
    expect(await set(BOARD, "Switch:0.on", false)).toMatchObject({ status: 200 });
  });

  it.for(ASTRAY)("that %s is ended, and delays no other device", async ([_, index, why]) => {
    const pid = await pidOf("mischief");
    const writing = set(SPINNER, `Switch:${index}.on`, true, 3);
    expect(await home.put(LAMP, "LightLevel.level", 10 + Number(index))).toMatchObject({ status: 200 });
    expect((await writing).body).toMatchObject({ outcome: "unknown" });
    await eventually("it is ended", async () => {
      const { failure } = await link("mischief");
      if (!why.test(String(failure))) throw new Error(String(failure));
      return true;
    });
    expect(isAlive(pid)).toBe(false);
    await eventually("it is started again", async () => (await pidOf("mischief")) !== pid);
    await online(SPINNER);
  });

  it("ends with an agent that is killed, even while it turns in a loop", async () => {
    const pids = [await pidOf("example"), await pidOf("mischief")];
    // It has been allowed to act, and answers no more.
    expect((await set(SPINNER, "Switch:0.on", true, 1)).body).toMatchObject({ outcome: "unknown" });
    await home.agent.kill();
    await eventually("no process is left", async () => !pids.some(isAlive));
  });

  it("is gone once it is removed, and the hub goes on", async () => {
    expect((await command("drivers", "remove", "porchlight-driver-mischief")).code).toBe(0);
    expect((await command("drivers", "remove", "mischief")).code).toBe(3);
    expect(existsSync(join(data, "drivers", "mischief"))).toBe(false);
    home.startAgent();
    await online(BOARD);
    await eventually("its device is offline", async () => (await home.connection(SPINNER)) === "offline");
    expect((await link("mischief")).failure).toMatch(/no such package is installed/);
    expect((await home.agent.stop()).code).toBe(0);
  });
});
