/** The commands that the portal shows on empty pages work as they are pasted: each is run here with an account's own IDs. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSOLE_COMMANDS, consoleLine, consoleLogIn } from "../../portal/src/kit/text/shell-commands.ts";
import { ENTRIES } from "../src/commands/table.ts";
import { commandLine } from "../src/main/command-line.ts";
import { TestConsole, wordsOf } from "./console.ts";

/** Where the console of these tests is logged in. */
const ORIGIN = "http://127.0.0.1:8080";
/** What ends a command that would go on until it is stopped. */
const ENDED_BY: Partial<Record<keyof typeof CONSOLE_COMMANDS, string>> = {
  webhooks: " --print-secret",
};

let desk: TestConsole;
/** Pages of an environment; the others are of an ecosystem. */
const IN_ENVIRONMENT: readonly string[] = ["zones", "scenes"];
let ids: Record<"ecosystem" | "environment", string>;

beforeAll(async () => {
  desk = await TestConsole.start();
  const { ecosystemId, environmentId } = await desk.signIn();
  // Of which a scene can be made.
  const services = [{ service: "Switch", properties: [{ property: "on", value: true }] }];
  await desk.json(`devices create --alias lamp --services '${JSON.stringify(services)}'`);
  ids = { ecosystem: ecosystemId, environment: environmentId };
});
afterAll(() => desk[Symbol.asyncDispose]());

/** As a shell would run it. */
async function pasted(line: string) {
  expect(line).toMatch(/^npx porchlight /);
  return desk.run(line.slice("npx porchlight ".length));
}

/** What follows the event stream, which goes on: that is only read as the console reads it. */
const ENDLESS: readonly string[] = ["events"];

const PAGES = Object.keys(CONSOLE_COMMANDS) as (keyof typeof CONSOLE_COMMANDS)[];

test.each(PAGES.filter((page) => !ENDLESS.includes(page)))("%s", async (page) => {
  const command = CONSOLE_COMMANDS[page](IN_ENVIRONMENT.includes(page) ? ids.environment : ids.ecosystem);
  const { exitStatus, stderr } = await pasted(`${consoleLine(ORIGIN, command)}${ENDED_BY[page] ?? ""}`);
  expect([exitStatus, stderr.split("\n").filter((line) => /error|usage/i.test(line))]).toEqual([0, []]);
});

test("events", async () => {
  const line = consoleLine(ORIGIN, CONSOLE_COMMANDS.events(ids.ecosystem));
  const silent = () => undefined;
  const reading = commandLine({ entries: ENTRIES, version: "0", width: 80, out: silent, err: silent });
  const chosen = await reading.read(wordsOf(line).slice(2));
  expect([chosen?.args.text("ecosystem"), reading.options.apiUrl]).toEqual([ids.ecosystem, ORIGIN]);
});

test("the log-in is one that the console knows", async () => {
  const { exitStatus, stdout } = await pasted(`${consoleLogIn(ORIGIN)} --help`);
  expect([exitStatus, stdout]).toEqual([0, expect.stringContaining("porchlight login")]);
});
