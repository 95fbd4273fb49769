/** `get`, `set` and `doctor` against the real service, within the test: what is shown to whom, and with which exit status. */
import { chmodSync } from "node:fs";
import { systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
beforeAll(async () => {
  desk = await TestConsole.start();
  await desk.signIn();
  await desk.json("devices create --alias lamp --service Switch --service LightColor");
  const sensor = '[{"service":"Temperature","properties":[{"property":"celsius","value":21.5}]}]';
  await desk.json(`devices create --alias sensor --services '${sensor}'`);
});
afterAll(() => desk[Symbol.asyncDispose]());

const terminal = { terminal: true, env: { NO_COLOR: "1" } } as const;

describe("set", () => {
  it("takes the value by what the property is, and shows what it was and what it is", async () => {
    expect(await desk.run("set lamp Switch.on on")).toMatchObject({
      exitStatus: 0,
      stdout: expect.stringContaining("true"),
    });
    await desk.run("set lamp LightColor.hue 40");
    const { stdout } = await desk.run("set lamp LightColor.hue 120", terminal);
    expect(stdout).toMatch(/^LightColor\.hue {2}40 → 120° {2}confirmed in \d+ ms\n$/);
  });

  it("gives the API's item with --json, and what it was, the command and the round trip", async () => {
    await desk.run("set lamp LightColor.hue 40");
    expect(await desk.json("set lamp LightColor.hue 50")).toMatchObject({
      ...{ service: "LightColor", property: "hue", value: 50, previousValue: 40 },
      ...{ commandId: expect.stringMatching(/^cmd_/), roundTripMs: expect.any(Number) },
    });
  });

  it("takes a negative number for what it is, and reports as a virtual device's own sensor would", async () => {
    expect(await desk.json("set sensor Temperature.celsius -3.5 --report")).toMatchObject({ value: -3.5 });
    expect(await desk.run("set sensor Temperature.celsius 4")).toMatchObject({ exitStatus: 5 });
  });

  it("shows with --trace where the time went", async () => {
    const { stdout } = await desk.run("set lamp LightColor.hue 70 --trace", terminal);
    const hops = stdout.split("\n").slice(1, -1);
    expect(hops.map((line) => line.trim().split(/ +/)[0])).toEqual(["access", "check", "store", "total"]);
    for (const line of hops) expect(line).toMatch(/^ {2}[a-z]+ +\d+\.\d ms$/);
    const { timing } = await desk.json("set lamp LightColor.hue 71 --trace");
    expect(timing).toMatchObject({ store: expect.any(Number), total: expect.any(Number) });
    expect(await desk.json("set lamp LightColor.hue 72")).not.toHaveProperty("timing");
  });

  it("without waiting gives the command", async () => {
    const { id } = await desk.json("set lamp LightColor.hue 60 --no-wait --ttl 1h");
    expect(await desk.json(`commands get ${id}`)).toMatchObject({ id, value: 60 });
    expect((await desk.run("set lamp LightColor.hue 61 --no-wait")).stdout).toMatch(/^cmd_\w+\n$/);
  });

  it.each([
    ["set lamp LightColor.hue blue", 5, "`blue` is not a number."],
    ["set lamp LightColor.hue 999", 5, "Property Value Invalid"],
    ["set lamp LightColor.glow 1", 5, "Service Property Invalid"],
    ["set lamp Nonsense.on 1", 3, "Service Not Found"],
    ["set chair Switch.on true", 3, "Device Not Found"],
    ["set lamp Switch.on true --ttl 5m", 2, "--ttl needs --no-wait."],
    ["set lamp Switch.on true --no-wait --wait 3", 2, "exclude each other"],
    ["set lamp Switch.on true --no-wait --trace", 2, "--trace and --no-wait exclude each other."],
    ["set lamp Switch.on true --no-wait --ttl 2d", 2, "--ttl is from 1 s to 24 h."],
    ["set lamp Switch.on true --wait 61", 2, "--wait takes a whole number from 1 to 60."],
    ["set lamp Switch.on", 2, ""],
  ])("%s ends with %i", async (line, exitStatus, what) => {
    const ran = await desk.run(line);
    expect(ran).toMatchObject({ exitStatus, stdout: "", stderr: expect.stringContaining(what) });
  });
});

describe("get", () => {
  it("gives a single property as its value alone in a pipe, and with its age on a terminal", async () => {
    await desk.run("set lamp LightColor.hue 77");
    expect(await desk.run("get lamp LightColor.hue")).toEqual({ exitStatus: 0, stdout: "77\n", stderr: "" });
    await desk.cloud.clock.advance(180_000);
    const { stdout } = await desk.run("get lamp LightColor.hue", terminal);
    expect(stdout).toBe("77  as of 3 min ago\n");
  });

  it("gives a service as a line for each property, and the API's answer with --json", async () => {
    const { stdout } = await desk.run("get sensor Temperature");
    expect(stdout).toMatch(/^Temperature\.celsius\t-?[\d.]+\t\d{4}-/);
    expect(await desk.json("get sensor Temperature --refresh")).toMatchObject({ items: [{ property: "celsius" }] });
    expect(await desk.json("get sensor Temperature --max-age 30s")).toMatchObject({ items: [{ property: "celsius" }] });
  });

  it("separates a missing property from one without a value", async () => {
    expect(await desk.run("get lamp Nonsense")).toMatchObject({
      ...{ exitStatus: 3, stdout: "", stderr: expect.stringContaining("It has Switch, LightColor.") },
    });
    expect(await desk.run("get lamp LightColor.saturation")).toMatchObject({
      ...{ exitStatus: 3, stderr: expect.stringContaining("has no value yet") },
    });
    expect(await desk.run("get lamp LightColor.glow --refresh")).toMatchObject({ exitStatus: 5 });
  });
});

describe("why", () => {
  it("describes in sentences who set a value, then the command and the time of each hop", async () => {
    await desk.run("set lamp Switch.on on");
    const set = await desk.json("set lamp Switch.on off");
    const { stdout, exitStatus } = await desk.run("why lamp Switch.on");
    const lines = stdout.split("\n");
    expect(exitStatus).toBe(0);
    expect(lines[0]).toMatch(/^lamp: Switch\.on is off since \d+ \w+ \d{4}, \d\d:\d\d \S+\. It was on before\.$/);
    expect(lines[1]).toMatch(/^The account with .+ \(from 127\.0\.0\.1\) set it, and it was confirmed in [\d.]+ ms\.$/);
    expect(stdout).toContain(`\nCommand ${set.commandId}, request `);
    expect(stdout).toContain("service (API)");
    expect(await desk.json("why lamp Switch.on")).toMatchObject({
      cause: { kind: "command", commandId: set.commandId },
      obstacles: [],
    });
  });

  it("of a value that was never set states that, and refuses a text that names no property", async () => {
    const { stdout } = await desk.run("why lamp LightColor.saturation");
    expect(stdout).toBe(
      "lamp: LightColor.saturation has no known value.\nThe device has reported none, and no command to set it is known.\n",
    );
    expect(await desk.run("why lamp Switch")).toMatchObject({ exitStatus: 5 });
  });
});

describe("doctor", () => {
  /** The service writes its date by the machine's clock. */
  const checks = async (line: string) => {
    const { stdout, exitStatus } = await desk.run(`${line} --json`, { clock: systemClock });
    const { items } = JSON.parse(stdout);
    return { exitStatus, items: items.map(({ check, result }: Record<string, string>) => `${check} ${result}`) };
  };

  it("finds nothing where all is well", async () => {
    expect(await checks("doctor")).toEqual({
      exitStatus: 0,
      items: ["settings", "address", "name", "service", "API", "clock", "token", "hubs"].map((check) => `${check} ok`),
    });
  });

  it("names a token that is none with its cure, and ends as a call with it would", async () => {
    const { exitStatus, stdout, stderr } = await desk.run("doctor", { env: { PORCHLIGHT_TOKEN: "plt_usr_x" } });
    expect(exitStatus).toBe(4);
    expect(stdout).toMatch(/^failed\ttoken\tToken Invalid\..*\tunset PORCHLIGHT_TOKEN, or set another one$/m);
    expect(stderr).toContain("One check failed.");
    expect(stdout + stderr).not.toContain("plt_usr_x");
  });

  it("reports a wrong clock, and another service at the address", async () => {
    const late = async (url: string, init: RequestInit) => {
      const answer = await desk.fetch(url, init);
      const headers = new Headers(answer.headers);
      headers.set("date", "Tue, 01 Jan 2030 00:00:00 GMT");
      return new Response(answer.body, { status: answer.status, headers });
    };
    const { stdout } = await desk.run("doctor", { fetch: late });
    expect(stdout).toMatch(/^warning\tclock\tThis machine's clock is \d+ s behind the service's\./m);
    const other = async () => new Response("<html>", { status: 200 });
    expect(await desk.run("doctor", { fetch: other })).toMatchObject({
      ...{ exitStatus: 7, stdout: expect.stringContaining("it is not Porchlight") },
    });
  });

  it("prints the same words on a terminal, in a pipe and in JSON", async () => {
    const line = "doctor --api-url http://nowhere.invalid";
    const piped = (await desk.run(line)).stdout.trimEnd().split("\n");
    const shown = (await desk.run(line, { terminal: true, columns: 200, env: { NO_COLOR: "1" } })).stdout;
    const { items } = JSON.parse((await desk.run(`${line} --json`)).stdout);
    const rows = piped.map((each) => each.split("\t"));
    expect(rows.map(([result]) => result)).toEqual(["ok", "warning", "failed"]);
    for (const [index, [result = "", check = "", detail = "", cure = ""]] of rows.entries()) {
      expect(items[index]).toMatchObject({ result, check, detail });
      expect(shown.replaceAll(/ +/g, " ")).toContain(`${result} ${check} ${detail}\n${cure && ` try: ${cure}\n`}`);
    }
  });

  it.each([
    ["offline", "failed", 6],
    ["unknown", "warning", 0],
    ["online", "ok", 0],
  ] as const)("a hub that is %s: %s, exit status %i", async (state, result, exitStatus) => {
    const connection = { state, since: "2026-11-25 04:00:00Z" };
    const answers = async (url: string, init: RequestInit) =>
      new URL(url).pathname === "/api/clients"
        ? Response.json({ items: [{ id: "cli_01h455vb4pex5vsknk084sn02q", alias: "attic", connection }] })
        : desk.fetch(url, init);
    const ran = await desk.run("doctor", { fetch: answers, clock: systemClock });
    expect(ran).toMatchObject({ exitStatus, stdout: expect.stringContaining(`${result}\thub attic\t${state},`) });
  });

  it("skips the checks that depend on one that failed", async () => {
    const { items, exitStatus } = await checks("doctor --api-url http://nowhere.invalid");
    expect(exitStatus).toBe(7);
    expect(items).toEqual(["settings ok", "address warning", "name failed"]);
  });

  it("reports a settings file that others may read", async () => {
    chmodSync(`${desk.home}/.porchlight/settings.json`, 0o644);
    expect((await checks("doctor")).items[0]).toBe("settings warning");
  });
});
