/**
 * A hub as its owner looks after it: each command of the agent on a running hub, with its exit status, and no secret in anything that
 * it prints. Each is run as a process once; its other outputs are had from the same command within the test's own process, because
 * starting a process costs more than all the rest.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "@porchlight/agent/main/program.ts";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { programFile } from "../parts/program-file.ts";
import { LAMP } from "../parts/simulator.ts";

const LAN_KEY = "5ec2e7005ec2e7005ec2e7005ec2e700";
const PROXY_PASSWORD = "a-proxy-password";
const STRANGER = "02-00-00-00-00-99";
const secretEnv = {
  PORCHLIGHT_LOG_LEVEL: "debug",
  PORCHLIGHT_LAN_KEYS: `${STRANGER}=${LAN_KEY}`,
  HTTPS_PROXY: `http://porter:${PROXY_PASSWORD}@127.0.0.1:1`,
  PORCHLIGHT_METRICS_PORT: "0",
};

let home: Home;
/** Everything that any command has printed. */
let output = "";
beforeAll(async () => {
  home = await Home.start({ agentEnv: secretEnv });
});
afterAll(() => home[Symbol.asyncDispose]());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Run = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>;

/** Runs a command of the agent to its end, as a process. */
const agent: Run = (args, env = secretEnv) => {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [programFile("agent/src/main.ts"), ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      err += data;
    });
    child.once("close", (code) => {
      output += out + err;
      resolve({ code, out, err });
    });
  });
};

/** The same, within this process. */
const within: Run = async (args, env = secretEnv) => {
  let [out, err] = ["", ""];
  const code = await runProgram(args, {
    clock: systemClock,
    random: systemRandom,
    env: { ...process.env, ...env },
    prompt: () => Promise.reject(new Error("nobody is asked")),
    onInterrupt: () => ({ [Symbol.dispose]: () => undefined }),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  output += out + err;
  return { code, out, err };
};

const on =
  (run: Run) =>
  (command: string, ...more: string[]) =>
    run([...command.split(" "), "--data", home.agentData, ...more]);
const onHub = on(agent);
const onHubWithin = on(within);
const settings = () => ["--cloud", home.api.base, "--data", home.agentData, "--token-file", join(home.folder, "token")];

describe("a hub that is well", () => {
  it("reports it in its status, its devices and its doctor", async () => {
    const status = await onHub("status");
    expect(status).toMatchObject({ code: 0, err: "" });
    expect(status.out).toContain("tunnel   online for ");
    expect(JSON.parse((await onHubWithin("status", "--json")).out)).toMatchObject({
      problems: [],
      tunnel: { live: true },
    });
    const devices = await onHub("devices");
    expect(devices.out.trim().split("\n")).toHaveLength(home.simulator.devices.length);
    expect(devices.out).toContain(`${LAMP}  live  `);
    const doctor = await agent([
      "doctor",
      ...settings(),
      ...home.simulator.lines.flatMap((line) => ["--serial", line]),
    ]);
    expect(doctor).toMatchObject({ code: 0, err: "" });
    expect(doctor.out).not.toMatch(/^(?:failed|warning) /m);
    expect(await within(["check-config", ...settings()])).toEqual({
      code: 0,
      out: "the settings are valid\n",
      err: "",
    });
  });

  it("makes a device show itself, and reports to the cloud again a device that was deleted there", async () => {
    expect(await onHub(`identify ${LAMP}`)).toEqual({ code: 0, out: `${LAMP} shows itself for 30 seconds\n`, err: "" });
    await eventually("it shows itself", async () => (await home.cached(LAMP, "Identify.active"))?.value === true);
    expect((await onHubWithin(`identify ${LAMP}`, "--stop")).code).toBe(0);
    await eventually("it has stopped", async () => (await home.cached(LAMP, "Identify.active"))?.value === false);
    expect(await onHubWithin(`identify ${STRANGER}`)).toMatchObject({ code: 3, out: "" });

    const { id } = await home.device(LAMP);
    await home.api.good("DELETE", `/api/devices/${id}`);
    expect(await onHub(`devices add ${LAMP}`)).toMatchObject({ code: 0 });
    await home.online();
    expect((await home.device(LAMP)).id).not.toBe(id);
    expect(await onHubWithin(`devices add ${STRANGER}`)).toMatchObject({ code: 3 });
    expect(await onHubWithin("devices add lamp")).toMatchObject({ code: 5 });
  });

  it("shows its log, in words and as it was written", async () => {
    await eventually("the log is written", async () =>
      (await onHubWithin("logs", "--level", "info")).out.includes("the agent runs"),
    );
    const words = await onHub("logs", "--level", "info");
    expect(words.out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}info {3}the agent runs {2}version=/m);
    const json = await onHubWithin("logs", "--json", "-n", "1");
    expect(JSON.parse(json.out)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
    expect(await onHubWithin("logs", "--level", "loud")).toMatchObject({ code: 1 });
  });

  it("is copied into one file while it runs, and made anew from it: the same hub, to the cloud too", async () => {
    const file = join(home.folder, "hub.backup");
    expect((await onHub(`backup ${file}`)).code).toBe(0);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await onHubWithin(`backup ${file}`)).toMatchObject({ code: 5, out: "" });
    expect(await onHubWithin(`restore ${file}`, "--replace")).toMatchObject({ code: 5, out: "" });
    expect(await home.agent.stop()).toMatchObject({ code: 0 });
    expect(await onHubWithin(`restore ${file}`)).toMatchObject({ code: 5 });
    const restored = await onHub(`restore ${file}`, "--replace");
    expect(restored.code).toBe(0);
    expect(restored.out).toContain("the next start begins a new history");
    home.startAgent();
    await eventually("the lamp is back", async () => (await onHubWithin("devices")).out.includes(`${LAMP}  live`));
    await home.online();
    expect(await home.put(LAMP, "LightColor.hue", 77)).toMatchObject({ status: 200, body: { value: 77 } });
  });
});

describe("a hub that is not", () => {
  it("reports by name and by exit status that it is offline, stopped, or has a wrong setting", async () => {
    await home.cloud.kill();
    await eventually("the status is offline", async () => (await onHubWithin("status")).code === 6);
    expect((await onHub("status")).code).toBe(6);
    expect((await within(["doctor", ...settings()])).out).toContain("failed   cloud: ");
    await home.startCloud();
    await home.online();
    await home.agent.stop();
    expect(await onHubWithin("status")).toEqual({ code: 6, out: "", err: "no agent runs on this data folder\n" });
    expect(await onHubWithin("devices")).toMatchObject({ code: 6 });
    const wrong = await agent(["check-config", ...settings()], {
      ...secretEnv,
      PORCHLIGHT_LAN_KEYS: `lamp=${LAN_KEY}`,
    });
    expect(wrong).toMatchObject({ code: 2, out: "" });
    // Through a proxy that is not there.
    const away = await within(["doctor", "--cloud", "https://127.0.0.1:1", "--data", home.agentData]);
    expect(away.code).toBe(1);
  });
});

describe("no secret", () => {
  it("appears in no output of a command, log, status or metric", async () => {
    home.startAgent();
    await home.online();
    const token = readFileSync(join(home.folder, "token"), "utf8").trim();
    const key = readFileSync(join(home.agentData, "identity.key"), "utf8").split("\n")[2] ?? "";
    const bad = join(home.folder, "bad-token");
    writeFileSync(bad, `${token.slice(0, -1)}x`, { mode: 0o600 });
    await within(["check-config", "--cloud", home.api.base, "--data", home.agentData, "--token-file", bad]);
    await onHubWithin("logs", "--level", "debug", "-n", "100000");
    await onHubWithin("status", "--json");
    const logs = readdirSync(join(home.agentData, "log")).map((name) =>
      readFileSync(join(home.agentData, "log", name), "utf8"),
    );
    const all = [output, home.agent.stderr, ...logs].join("\n");
    expect(all).toContain("the agent runs");
    const seed = Buffer.from(key, "base64").subarray(-32);
    const secrets = [token, token.slice(8, 40), key, seed.toString("hex"), LAN_KEY, PROXY_PASSWORD];
    expect(secrets.map((secret) => secret.length).filter((length) => length < 16)).toEqual([]);
    expect(secrets.filter((secret) => all.includes(secret)).map((_secret, place) => `secret ${place}`)).toEqual([]);
  });
});
