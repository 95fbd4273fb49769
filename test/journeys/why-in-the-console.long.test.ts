/** Why a lamp is off, as a new user finds it out with the console: the five cases in the sentences that a person reads, of a real home. */
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { OWNER } from "../parts/home.ts";
import { programFile } from "../parts/program-file.ts";
import { LAMP } from "../parts/simulator.ts";
import { withoutOwnSettings } from "../parts/terminal.ts";
import { ConsoleJourney } from "./console.fixture.ts";

const MAIN = programFile("console/src/main.ts");
const ON = "Switch.on";
const TIME = String.raw`\d+ \w+ \d{4}, \d\d:\d\d \S+`;
const TOOK = String.raw`[\d.]+ m?s`;

let journey: ConsoleJourney;
beforeAll(async () => {
  journey = await ConsoleJourney.start();
  porchlight("login", "--email", OWNER.email, "--password-stdin");
  await journey.home.put(LAMP, ON, true);
});
afterAll(() => journey[Symbol.asyncDispose]());

/** What a person sees who types the command line. */
function porchlight(...words: string[]): string {
  const env = { ...withoutOwnSettings(), ...journey.env, PORCHLIGHT_API_URL: journey.home.api.base };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    encoding: "utf8",
    env,
    input: `${OWNER.password}\n`,
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return stdout;
}

const why = () => porchlight("why", "lamp", ON);
const isNow = (value: boolean) =>
  eventually("the cloud has it", async () => (await journey.home.cached(LAMP, ON))?.value === value);
const startsWith = (...lines: string[]) => new RegExp(`^${lines.join("\\n")}\\n`);
const OFF_NOW = `Porch light: Switch\\.on is off since ${TIME}\\. It was on before\\.`;

describe("why the lamp is off, by one command", () => {
  it("another user's token: who it was, from where, the time of each hop, and the frames on the line", async () => {
    const { home } = journey;
    const body = { key: "anna", meta: { "$.name": "Anna's phone" } };
    const { id } = await home.api.good<{ id: string }>("POST", "/api/users", body);
    await home.api.good("POST", `/api/users/${id}/access`, { environmentId: home.environmentId });
    const { token } = await home.api.good<{ token: string }>("POST", `/api/users/${id}/tokens`, {});
    const put = await home.api.as(token).call("PUT", home.path(LAMP, ON), { value: false });
    const output = why();
    const cause = `The user Anna's phone \\(from 127\\.0\\.0\\.1\\) set it, and it was confirmed in ${TOOK}\\.`;
    expect(output).toMatch(startsWith(OFF_NOW, cause, "", `Command ${put.headers.get("x-command-id")}, request .+`));
    for (const hop of ["service (API)", "tunnel, both ways", "hub", "driver and device", "in all"])
      expect(output).toMatch(new RegExp(`^${hop.replace(/[()]/g, "\\$&")}\\s+${TOOK}$`, "m"));
    expect(output).toMatch(
      /^0 ms {5}to the device {3}WRITE \d+: device 0, Switch:0\.on = false\n {25}c0 [0-9a-f ]+ c0$/m,
    );
    expect(output).toMatch(/ from the device WRITTEN \d+: false\n {25}c0 [0-9a-f ]+ c0$/m);
  });

  it("by hand at the device", async () => {
    await journey.home.put(LAMP, ON, true);
    await journey.home.simulator.tell(`set ${LAMP} ${ON} false`);
    await isNow(false);
    const cause = "The device itself reported the change: somebody operated it there, or it changed by itself\\.";
    const asked = `The account .+ asked for on at ${TIME}: it was confirmed, and the value was changed afterwards\\.`;
    const output = why();
    expect(output).toMatch(startsWith(OFF_NOW, cause, asked));
    expect(output).toMatch(
      /^Frames of the report\n0 ms {5}from the device REPORT \d+: device 0, Switch:0\.on = false$/m,
    );
  });

  it("a scene: which one, and who called it", async () => {
    const { home } = journey;
    await home.put(LAMP, ON, true);
    const items = [{ target: (await home.device(LAMP)).id, service: "Switch:0.on", value: false }];
    const body = { environmentId: home.environmentId, alias: "night", meta: { "$.name": "Good night" }, items };
    await home.api.good("POST", "/api/scenes", body);
    porchlight("scenes", "call", "night");
    await isNow(false);
    const cause = `The scene Good night set it, called by the account .+, and it was confirmed in ${TOOK}\\.`;
    expect(why()).toMatch(startsWith(OFF_NOW, cause));
  });

  it("the device refused to be switched on, in its own words", async () => {
    const { home } = journey;
    await home.simulator.tell(`fault ${LAMP} refuse`);
    expect((await home.put(LAMP, ON, true)).status).toBe(422);
    await home.simulator.tell(`fault ${LAMP} none`);
    const asked = `The account .+ asked for on at ${TIME}: rejected by the device\\. .*This value is refused\\.`;
    expect(why()).toMatch(startsWith(OFF_NOW, "The scene Good night set it, .+", asked));
  });

  it("the log states the same of all that happened, the newest first", async () => {
    const lines = porchlight("log", "lamp").trimEnd().split("\n");
    const sentences = lines.map((line) => line.split("\t")[1] ?? "");
    const at = (sentence: RegExp) => sentences.findIndex((text) => sentence.test(text));
    const order = [
      at(/^Porch light was not turned on: rejected by the device, asked by the account\. .*This value is refused\.$/),
      at(/^Porch light turned off by the scene Good night, called by the account\.$/),
      at(/^Porch light turned on by the account, confirmed in [\d.]+ m?s\.$/),
      at(/^Porch light turned off, as the device reported\.$/),
      at(/^Porch light turned off by the user Anna's phone, confirmed in [\d.]+ m?s\.$/),
      at(/^Device Porch light was added\.$/),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\t/);
  });

  it("the hub is offline: which, since when, and that the value is the last known one", async () => {
    const { home } = journey;
    await home.agent.stop();
    await eventually("the hub is offline", async () => (await home.hub()).state === "offline");
    const output = why();
    expect(output).toMatch(
      new RegExp(
        `^The hub .+ is offline since ${TIME} \\(.+\\): the value is the last known one\\. Its agent was stopped, or is restarting\\.$`,
        "m",
      ),
    );
    expect(output).toContain("\nUnknown: The hub is not connected, so its journal cannot be read.\n");
    // The event waits a little for the hub, which might come back at once.
    const gone = /^\S+ \S+\tHub .+ went offline\. Its agent was stopped, or is restarting\.\n/;
    await eventually("the log has it", async () => gone.test(porchlight("log", "lamp", "--limit", "3")));
  });
});
