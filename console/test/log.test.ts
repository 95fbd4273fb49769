/** `log` against the real service, within the test: sentences for people, the same for programs, and how far back they go. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
beforeAll(async () => {
  desk = await TestConsole.start();
  await desk.signIn();
  await desk.json("devices create --alias lamp --service Switch");
  await desk.json("devices create --alias fan --service Switch");
  for (const value of ["on", "off"]) await desk.run(`set lamp Switch.on ${value}`);
  await desk.run("set fan Switch.on on");
});
afterAll(() => desk[Symbol.asyncDispose]());

const sentences = (stdout: string) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[1]);

it("of a device describes its events in sentences, the newest first, and no others", async () => {
  const { stdout, exitStatus } = await desk.run("log lamp");
  expect(exitStatus).toBe(0);
  expect(sentences(stdout)).toEqual([
    expect.stringMatching(/^lamp turned off by the account, confirmed in [\d.]+ ms\.$/),
    expect.stringMatching(/^lamp is on by the account, confirmed in [\d.]+ ms\.$/),
    "Device lamp was added.",
  ]);
});

it("of the only home describes everything in it; on a terminal with local times", async () => {
  expect(sentences((await desk.run("log")).stdout)[0]).toMatch(/^fan is on by the account/);
  const { stdout } = await desk.run("log lamp", { terminal: true, env: { NO_COLOR: "1" } });
  expect(stdout.split("\n")[2]).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d \S+ {2}Device lamp was added\.$/);
});

it("with --limit states that there are more, and for a time without events that there are none", async () => {
  const { stdout, stderr } = await desk.run("log lamp --limit 1");
  expect(sentences(stdout)).toHaveLength(1);
  expect(stderr).toContain("There are more");
  const none = await desk.run("log lamp --until 2020-01-01T00:00:00Z");
  expect(none).toMatchObject({ exitStatus: 0, stdout: "" });
  expect(none.stderr).toContain("Nothing that is kept.");
});

it("for programs has the event of each sentence", async () => {
  const { stdout } = await desk.run("log lamp --limit 1 --json");
  expect(JSON.parse(stdout)).toEqual({
    ...{ eventId: expect.stringMatching(/^evt_/), sequence: expect.any(Number), type: "property.changed" },
    ...{ createdAt: expect.any(String), text: expect.stringMatching(/^lamp turned off by the account/) },
  });
});

it("of what is not there fails as `watch` does", async () => {
  expect(await desk.run("log chair")).toMatchObject({ exitStatus: 3, stdout: "" });
});

it("names the server whose token was used, and asks for no more owners than it takes to find it", async () => {
  const tokens: string[] = [];
  for (let number = 1; number <= 20; number++) {
    await desk.json(`servers create --alias server-${number}`);
    tokens.push((await desk.json(`tokens create --server server-${number}`)).token);
  }
  const asked = async (...used: number[]) => {
    for (const number of used)
      await desk.json(`set fan Switch.on ${number % 2 === 0 ? "off" : "on"}`, {
        env: { PORCHLIGHT_TOKEN: tokens[number - 1] },
      });
    desk.asked.length = 0;
    const { stdout } = await desk.run(`log fan --limit ${used.length}`);
    for (const number of used) expect(stdout).toContain(` by the server server-${number},`);
    return desk.asked.filter(({ path }) => /^\/api\/servers\/[^/]+\/tokens$/.test(path)).length;
  };
  const counts = [await asked(2), await asked(19), await asked(2, 19)];
  expect(Math.min(...counts)).toBeLessThan(20);
  expect(Math.max(...counts)).toBeGreaterThan(8);
});
