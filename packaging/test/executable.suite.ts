/** The demands on the executable: it does the main job where there is no Node.js, is quick, small, and leaves nothing behind. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../test/parts/eventually.ts";
import { Home } from "../../test/parts/home.ts";
import { startMosquitto } from "../../test/parts/mosquitto.ts";
import { packExample } from "../../test/parts/packed-driver.ts";
import { RelayBoardServer } from "../../test/parts/relay-board.ts";
import { LAMP } from "../../test/parts/simulator.ts";
import { SmallDisk } from "../../test/parts/small-disk.ts";

/** Resident memory of an agent with a handful of devices, bytes: what it shares with no other process, and pages of the executable itself. */
const MEMORY = 150e6;

/** @param executable its path, once it has been built */
export function executableSuite(executable: () => string): void {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bare-"));
  /** All the programs that a bare machine has for the agent. */
  const programs = join(folder, "bin");
  beforeAll(() => {
    mkdirSync(programs);
    for (const name of ["env", "stty"]) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs the executable with nothing around it but those programs. */
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(executable(), args, {
      encoding: "utf8",
      env: { PATH: programs, ...env },
    });
    return { status, output: `${stdout}${stderr}` };
  };

  it("prints its version and its commands, and what is wrong with its settings", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../agent/package.json", import.meta.url), "utf8"));
    expect(run(["--version"])).toEqual({ status: 0, output: `${version}\n` });
    expect(run([])).toMatchObject({ status: 2, output: expect.stringContaining("check-config") });
    const cloud = ["--cloud", "https://cloud.example", "--data", folder];
    expect(run(["check-config", ...cloud])).toEqual({ status: 0, output: "the settings are valid\n" });
    expect(run(["check-config", "--data", folder])).toMatchObject({
      status: 2,
      output: expect.stringContaining("`cloud` is missing"),
    });
  });

  it("does the main job without Node.js on the path: a lamp on a serial line, set through the cloud", async () => {
    // Instead of Node.js and the agent's sources, which are the first two words.
    const instead = `shift 2; PATH=${programs} exec ${executable()} "$@"`;
    await using home = await Home.start({ agentWithin: ["sh", "-c", instead, "agent"] });
    expect(await home.put(LAMP, "LightColor.hue", 77)).toMatchObject({ status: 200, body: { value: 77 } });
    expect(await home.simulator.value(LAMP, "LightColor.hue")).toBe(77);
    expect(home.agent.pid).toBeGreaterThan(0);
    const status = readFileSync(`/proc/${home.agent.pid}/status`, "utf8");
    const resident = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    expect(resident).toBeLessThan(MEMORY);
    console.info(`with ${home.simulator.devices.length} devices: ${(resident / 1e6).toFixed(0)} MB resident`);
    expect(await home.agent.stop()).toEqual({ code: 0, signal: null });
  });

  it("reaches a broker, whose library it loads on demand", async () => {
    await using broker = await startMosquitto();
    const [data, settings] = [join(folder, "broker"), join(folder, "broker.yaml")];
    writeFileSync(settings, JSON.stringify({ drivers: { mqtt: { broker: broker.url } } }));
    const args = ["run", "--data", data, "--config", settings, "--cloud", "http://127.0.0.1:9"];
    const agent = spawn(executable(), args, { env: { PATH: programs } });
    let output = "";
    agent.stderr.on("data", (text) => {
      output += text;
    });
    try {
      await eventually("the broker is connected", async () =>
        run(["status", "--data", data, "--json"]).output.includes('"broker":"connected"'),
      );
      expect(output).not.toContain("Warning");
    } finally {
      agent.kill("SIGKILL");
    }
  });

  it("runs a third-party driver in a child, which is the executable itself with fewer rights", async () => {
    const [data, packed, settings] = [join(folder, "child"), join(folder, "packed"), join(folder, "child.yaml")];
    mkdirSync(packed);
    const board = "02-1B-44-00-00-01";
    await using relays = await RelayBoardServer.start(board);
    const added = run(["drivers", "add", await packExample(packed), "--yes", "--data", data]);
    expect(added).toMatchObject({ status: 0, output: expect.stringContaining("Added.") });
    const example = { admit: "all", boards: [{ host: "127.0.0.1", port: relays.port }] };
    writeFileSync(settings, JSON.stringify({ drivers: { example } }));
    const args = ["run", "--data", data, "--config", settings, "--cloud", "http://127.0.0.1:9"];
    const agent = spawn(executable(), args, { env: { PATH: programs }, stdio: "ignore" });
    try {
      await eventually("the driver has its device", async () => {
        const { output } = run(["status", "--data", data, "--json"]);
        const { devices } = JSON.parse(output) as { devices: { edgeId: string; live: boolean }[] };
        return devices.some(({ edgeId, live }) => edgeId === board && live);
      });
    } finally {
      agent.kill("SIGKILL");
    }
  });

  it("removes its unpacked native parts, and loads them where the usual folder runs no programs", () => {
    using disk = new SmallDisk(32e6);
    const env = { TMPDIR: disk.path };
    expect(run(["--version"], env).status).toBe(0);
    expect(readdirSync(disk.path)).toEqual([]);
    execFileSync("mount", ["-o", "remount,noexec", disk.path]);
    expect(run(["--version"], env).status).toBe(0);
    expect(readdirSync(disk.path)).toEqual([]);
  });
}
