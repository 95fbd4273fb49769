/** `history` against the real service, within the test: a chart for a person, rows for a program, and what is not known said beside. */
import { settle } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestConsole } from "./console.ts";

const MINUTE = 60_000;
const terminal = { terminal: true, columns: 80, env: { NO_COLOR: "1", LANG: "C" } } as const;

let desk: TestConsole;
beforeAll(async () => {
  desk = await TestConsole.start();
  await desk.signIn();
  const services =
    '[{"service":"Temperature"},{"service":"Electricity","properties":[{"property":"energy"}]},{"service":"Switch"}]';
  await desk.json(`devices create --alias sensor --services '${services}'`);
  for (const [celsius, energy] of [
    [20, 1],
    [22.5, 1.5],
    [21, 3],
  ]) {
    await desk.json(`set sensor Temperature.celsius ${celsius} --report`);
    await desk.json(`set sensor Electricity.energy ${energy} --report`);
    await desk.cloud.clock.jumpWall(10 * MINUTE);
  }
  await recorded();
});
afterAll(() => desk[Symbol.asyncDispose]());

/** Waits until the service has recorded what was reported. */
async function recorded(): Promise<void> {
  for (let turn = 0; turn < 5000; turn++) {
    await desk.cloud.clock.advance(turn % 20 === 0 ? 1000 : 0);
    const { items } = await desk.json("history sensor Temperature.celsius --from 2h");
    const energy = await desk.json("history sensor Electricity.energy --from 2h");
    if (items[0]?.points.length === 3 && energy.items[0]?.points.length === 3) return;
    await settle(1);
  }
  throw new Error("it is not recorded");
}

it("is a line on a terminal, with its ends and its times", async () => {
  const { stdout } = await desk.run("history sensor Temperature.celsius --from 1h", terminal);
  const lines = stdout.split("\n");
  expect(lines[0]).toMatch(/^Temperature\.celsius {2}3 changes, in °C$/);
  expect(lines[1]).toMatch(/^22\.5 °C \| +\*+ *$/);
  expect(lines[8]).toMatch(/^20 °C {3}\| +\*+ *$/);
  expect(stdout).toMatch(/\d\d:\d\d:\d\dZ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ\n$/);
  expect(stdout).not.toContain("\u001b");
});

it("of a meter is bars of what it counted", async () => {
  const { stdout } = await desk.run("history sensor Electricity.energy --from 1h", terminal);
  expect(stdout).toMatch(/^Electricity\.energy {2}growth of each 5m, in kWh\n1\.5 kWh \| +#+ *\n/);
});

it("in a pipe is a line for each change, and nothing else", async () => {
  const { stdout } = await desk.run("history sensor Temperature.celsius --from 2h");
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  expect(rows.map(([name, at, value]) => [name, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/.test(at ?? ""), value])).toEqual([
    ["Temperature.celsius", true, "20"],
    ["Temperature.celsius", true, "22.5"],
    ["Temperature.celsius", true, "21"],
  ]);
});

it("as a table has a heading on a terminal", async () => {
  const { stdout } = await desk.run("history sensor Temperature.celsius --from 2h --table", terminal);
  expect(stdout.split("\n")).toHaveLength(5);
  expect(stdout).toMatch(/^property +at +value\n/);
});

it("with steps has the statistics of each step", async () => {
  const { stdout } = await desk.run("history sensor Temperature.celsius --from 2h --resolution 1h --table", {
    ...terminal,
    columns: 200,
  });
  expect(stdout).toMatch(/^property +at +mean +min +max +known\n/);
  const { resolution, items } = await desk.json(
    "history sensor Temperature --from 2h --resolution 1d --time-zone Asia/Tokyo",
  );
  expect(resolution).toBe("1d");
  expect(items[0].points.at(-1)).toMatchObject({ max: 22.5 });
});

it("as CSV is what the service makes of it", async () => {
  const { stdout } = await desk.run("history sensor Temperature.celsius --from 2h --csv");
  expect(stdout.split("\n")[0]).toBe("deviceId,service,index,property,unit,at,value,gapUntil,gapReason");
  expect(stdout.trimEnd().split("\n")).toHaveLength(4);
});

it("of an environment names the device of each series", async () => {
  const { id } = await desk.json("devices get sensor");
  const { environmentId } = await desk.json("devices get sensor");
  const { stdout } = await desk.run(`environments history ${environmentId} Temperature.celsius --from 2h`);
  expect(stdout.split("\n")[0]).toMatch(new RegExp(`^${id} Temperature\\.celsius\t`));
});

it("of a property that was never set states that nothing is known", async () => {
  const { stdout, exitStatus } = await desk.run("history sensor Switch.on --from 1h", terminal);
  expect([exitStatus, stdout]).toEqual([0, expect.stringContaining("Nothing is known of this time.")]);
});

describe("is refused with", () => {
  it.each([
    ["history sensor Temperature.celsius --csv --table", 2, "--csv excludes --table and --json."],
    ["history sensor Temperature.celsius --resolution 2h", 2, "--resolution takes one of: raw, 5m, 1h, 1d, 1mo."],
    ["history sensor Temperature.celsius --from 1h --to 2h", 5, "`from` must be earlier than `to`."],
    ["history sensor Temperature.celsius --resolution 1d --time-zone Mars", 5, "`timeZone` must be a name"],
    ["history chair Temperature.celsius", 3, "Device Not Found"],
    ["history sensor Temperature.fahrenheit", 5, "Service Property Invalid"],
    ["history sensor Nonsense", 3, "Service Not Found"],
    ["ecosystems set-history eco --on --off", 2, "--on and --off exclude each other."],
    ["ecosystems set-history eco", 2, "There is nothing to change."],
  ])("%s", async (line, exitStatus, words) => {
    expect(await desk.run(line)).toMatchObject({ exitStatus, stderr: expect.stringContaining(words) });
  });
});
