/** `--where` against the real service, within the test: every list takes it, in a table and with `--json`. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ENTRIES } from "../src/commands/table.ts";
import { isNoun } from "../src/session/command.ts";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
beforeAll(async () => {
  desk = await TestConsole.start();
  const { environmentId } = await desk.signIn();
  for (const alias of ["hall", "kitchen", "cellar"])
    await desk.json(["zones create", "--environment", environmentId, "--alias", alias].join(" "));
  await desk.json("zones update kitchen --set-meta floor=1").catch(() => undefined);
});
afterAll(() => desk[Symbol.asyncDispose]());

const aliases = async (line: string) => (await desk.json(line)).items.map(({ alias }: { alias: string }) => alias);

it("every list takes it", async () => {
  const without: string[] = [];
  for (const { name, load } of ENTRIES) {
    const loaded = await load();
    if (!isNoun(loaded)) continue;
    for (const { name: verb, options = [], summary } of loaded) {
      const isList = verb === "list" || summary.startsWith("Lists ");
      if (isList && !options.some((option) => option.name === "where")) without.push(`${name} ${verb}`);
    }
  }
  expect(without).toEqual([]);
});

it("keeps the rows that hold, with --json and in a table", async () => {
  expect(await aliases("zones list --where alias=hall")).toEqual(["hall"]);
  expect((await aliases("zones list --where alias!=hall")).sort()).toEqual(["cellar", "kitchen"]);
  expect(await aliases("zones list --where alias~ITCH")).toEqual(["kitchen"]);
  expect(await aliases("zones list --where meta.floor=1 --where alias~k")).toEqual(["kitchen"]);
  const { stdout } = await desk.run("zones list --where alias=cellar");
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(stdout).toContain("\tcellar\t");
});

it("counts a limit after the filter", async () => {
  const { stdout, stderr } = await desk.run("zones list --where alias~l --limit 1");
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toContain("The first 1 zones: there are more.");
  expect((await desk.run("zones list --where alias=cellar --limit 1")).stderr).toBe("");
  const last = await desk.json("audit list --where action=zone.created --last 1");
  expect(last.items).toMatchObject([{ action: "zone.created" }]);
});

it.each(["webhooks", "requests", "audit", "quotas", "services", "users", "hubs", "profiles"])(
  "%s: a field that it does not have is refused, and those that it has are named, before anything is fetched",
  async (noun) => {
    const before = desk.asked.length;
    const { exitStatus, stdout, stderr } = await desk.run(`${noun} list --where colour=red`);
    expect({ exitStatus, stdout }).toEqual({ exitStatus: 2, stdout: "" });
    expect(stderr).toContain("There is no field `colour` in this list.");
    expect(stderr).toMatch(/why: {3}It has \w+/);
    expect(desk.asked.slice(before).filter(({ path }) => path !== "/api/token")).toEqual([]);
  },
);

it("refuses what is no condition", async () => {
  expect(await desk.run("zones list --where alias")).toMatchObject({
    ...{ exitStatus: 2, stderr: expect.stringContaining("`alias` is not a condition.") },
  });
});
