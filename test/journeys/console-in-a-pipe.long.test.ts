/** The console as a script uses it: no terminal, `--json`, and the same journey as that of a person. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OWNER } from "../parts/home.ts";
import { Program, ROOT } from "../parts/program.ts";
import { casesOf } from "../parts/rounds.ts";
import { LAMP } from "../parts/simulator.ts";
import { withoutOwnSettings } from "../parts/terminal.ts";
import { ConsoleJourney } from "./console.fixture.ts";

const MAIN = "console/src/main.ts";

let journey: ConsoleJourney;
beforeAll(async () => {
  journey = await ConsoleJourney.start();
});
afterAll(() => journey[Symbol.asyncDispose]());

const env = () => ({ ...journey.env, PORCHLIGHT_API_URL: journey.home.api.base });

/** Runs a command line with `--json`; its output is parsed. */
function porchlight(line: string, more: { env?: Record<string, string>; input?: string } = {}) {
  const args = [join(ROOT, MAIN), ...line.split(" "), "--json"];
  const around = { ...withoutOwnSettings(), ...env(), ...more.env };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ encoding: "utf8", env: around, input: more.input ?? "" },
  });
  return { status, stderr, parsed: stdout === "" ? undefined : JSON.parse(stdout) };
}

/** Begins a command that goes on; each line of its stdout is JSON. */
function begin(...words: string[]): Program {
  return new Program(`porchlight ${words[0]}`, MAIN, [...words, "--json"], env());
}

const hueOf = (hue: number) => (line: string) => {
  const { property, value } = JSON.parse(line);
  return property === "hue" && value === hue ? true : undefined;
};

describe("a script", () => {
  it("logs in with a password on stdin, and lets a hub in without being asked", async () => {
    const login = porchlight(`login --email ${OWNER.email} --password-stdin`, { input: `${OWNER.password}\n` });
    expect(login).toMatchObject({
      status: 0,
      parsed: { type: "authentication", token: expect.stringMatching(/^plt_auth_/) },
    });
    expect(login.stderr).not.toContain(login.parsed.token);
    const { code, edgeId } = await journey.unpairedHub();
    expect(porchlight(`hubs pair ${code}`)).toMatchObject({ status: 2, parsed: undefined });
    expect(porchlight(`hubs pair ${code} --yes --alias spare`)).toMatchObject({
      status: 0,
      parsed: { alias: "spare", edgeId, meta: { "$.name": "Hub" } },
    });
  });

  it("sets the lamp, and reads the hardware", async () => {
    await journey.home.put(LAMP, "LightColor.hue", 40);
    expect(porchlight("set lamp LightColor.hue 120")).toMatchObject({
      ...{
        status: 0,
        stderr: "",
        parsed: { value: 120, previousValue: 40, commandId: expect.stringMatching(/^cmd_/) },
      },
    });
    expect(porchlight("get lamp LightColor.hue --refresh").parsed).toMatchObject({ items: [{ value: 120 }] });
  });

  it("watches it through a restart of the cloud, line by line", async () => {
    await using watch = begin("watch", "lamp");
    await watch.line(hueOf(120));
    await journey.home.cloud.stop();
    await journey.home.startCloud();
    await journey.home.online();
    await journey.home.put(LAMP, "LightColor.hue", 77);
    await watch.line(hueOf(77));
    expect(watch.stderr).toMatch(/^The connection is lost\. Next try in .* s\.\n[\s\S]*Connected again\.\n$/);
    watch.signal("SIGINT");
    expect(await watch.ended).toEqual({ code: 130, signal: null });
  });

  it("delivers events to a server beside it, and reports each delivery", async () => {
    const { stdout } = spawnSync(process.execPath, [join(ROOT, MAIN), "webhooks", "listen", "--print-secret"], {
      ...{ encoding: "utf8", env: { ...withoutOwnSettings(), ...env() } },
    });
    const { url, events } = await journey.receiver(stdout.trim());
    await using listen = begin("webhooks", "listen", "--forward-to", url, "--types", "property.changed");
    await journey.setUntil(() => events.length > 0);
    const forwarded = await listen.line((line) => JSON.parse(line));
    expect(forwarded).toMatchObject({
      type: "property.changed",
      responseStatus: 204,
      eventId: expect.stringMatching(/^evt_/),
    });
  });
});

/** Exit status, command, title of the problem. All of them without a process of their own: `console/test/endings.test.ts`. */
const ENDINGS = casesOf<readonly [number, string, string | undefined]>(
  [[5, "set lamp LightColor.hue 999", "Property Value Invalid"]],
  [
    [2, "devices frobnicate", undefined],
    [3, "devices get chair", "Device Not Found"],
    [4, "whoami", "Token Invalid"],
    [7, "whoami --api-url http://127.0.0.1:9", undefined],
  ],
);

describe("a script gets the cause by its exit status, and by the problem on stderr", () => {
  it.each(ENDINGS)("%i: %s", (exitStatus, line, title) => {
    const token = exitStatus === 4 || exitStatus === 7 ? { PORCHLIGHT_TOKEN: "plt_usr_x" } : {};
    const { status, stderr, parsed } = porchlight(line, { env: token });
    expect({ status, parsed }).toEqual({ status: exitStatus, parsed: undefined });
    expect(JSON.parse(stderr)).toMatchObject(title === undefined ? { exitStatus } : { title });
  });

  it("6: set, with the hub offline", async () => {
    await journey.home.agent.stop();
    const { status, stderr } = porchlight("set lamp LightColor.hue 1");
    expect(status).toBe(6);
    expect(JSON.parse(stderr)).toMatchObject({ title: "Hub Offline", outcome: "not_sent" });
  });
});
