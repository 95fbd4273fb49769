/** A person deals with a hub's drivers in a terminal: what is shown, what is asked, and what goes to the hub. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AnsweringDrivers, connectHub } from "../../test/parts/answering-hub.ts";
import { TestConsole } from "./console.ts";

const LOCK = "02-00-00-00-00-77";

let desk: TestConsole;
let drivers: AnsweringDrivers;
const asked = () => drivers.asked.splice(0);
beforeAll(async () => {
  desk = await TestConsole.start();
  const { environmentId } = await desk.signIn();
  await desk.json(`clients create --environment ${environmentId} --alias hub`);
  const { token } = await desk.json(`tokens create --client hub --environment ${environmentId}`);
  drivers = new AnsweringDrivers();
  await connectHub(desk.cloud, token, drivers, [
    { edgeId: LOCK, about: { manufacturer: "Danalock", model: "V3" }, services: ["Lock", "Battery"] },
    { edgeId: "02-00-00-00-00-78", about: { name: "Lamp" }, services: ["Switch", "LightLevel"] },
    { edgeId: "02-00-00-00-00-79", about: {}, services: ["LightLevel"] },
    { edgeId: "02-00-00-00-00-7A", about: {}, services: ["LightLevel"] },
  ]);
});
afterAll(() => desk[Symbol.asyncDispose]());
beforeEach(() => void asked());
const run = (line: string, typed: readonly string[] = []) =>
  desk.run(line, { terminal: true, typed: [...typed], env: { NO_COLOR: "1" } });

test("how a hub reaches devices is a table, with what keeps it from them", async () => {
  const { stdout } = await run("hubs drivers hub");
  expect(stdout).toMatch(/driver\s+state\s+devices\s+setups\s+problem/i);
  expect(stdout).toMatch(/bridges\s+running\s+2\s+bridge\s+The bridge does not answer\./);
});

test("what a hub sees and leaves alone is listed with what it is", async () => {
  expect((await run("hubs found hub")).stdout).toMatch(/02-00-00-00-00-77\s+Front door.*Lock\s+awaiting_admission/);
  const unpaired = await run("hubs found hub --where admission=not_paired");
  expect(unpaired.stdout).toMatch(/Attic bridge\s+not_paired\s+bridges/);
  expect(unpaired.stdout).not.toContain("Front door");
  expect(unpaired.stderr).toContain(
    "Attic bridge: Press the button on the bridge. To pair it: porchlight hubs setup HUB bridge",
  );
});

test("a lock is admitted after a yes, and not after anything else", async () => {
  expect((await run(`hubs admit hub ${LOCK}`, ["n"])).exitStatus).not.toBe(0);
  expect(asked()).toEqual([]);
  const { exitStatus, stderr } = await run(`hubs admit hub ${LOCK}`, ["y"]);
  expect(exitStatus).toBe(0);
  expect(stderr).toContain(`${LOCK} is admitted.`);
  expect(asked()).toEqual([{ ask: "admit", edgeId: LOCK, admitted: true }]);
});

test("a setup shows the next step, takes a choice by its number, lists the devices that it found, and suggests names", async () => {
  const { exitStatus, stderr } = await run("hubs setup hub bridge", ["2", ""]);
  expect(stderr).toContain(`Name of Danalock V3, ${LOCK} [Lock]: `);
  expect(stderr).toContain(`${LOCK} is called Lock.`);
  expect(stderr).toContain("Press the button.");
  expect(stderr).toMatch(/Which one\?\s+1 {2}upstairs\s+2 {2}cellar/);
  expect(stderr).toContain(`found  ${LOCK}  A lock in the cellar`);
  expect(exitStatus).toBe(0);
  expect(asked()).toContainEqual({ ask: "setup answer", id: "setup-1", number: 1, answer: "cellar" });
});

test("a setup with a question and no terminal is ended on the hub too", async () => {
  expect((await desk.run("hubs setup hub bridge", {})).exitStatus).toBe(2);
  expect(asked().at(-1)).toEqual({ ask: "setup cancel", id: "setup-1" });
});

test("devices without a name get one that is free in the home, and those with one keep it", async () => {
  const names = async () => {
    const { items } = await desk.json("devices list");
    const named = (items as { edgeId: string; meta: Record<string, unknown> }[]).map(({ edgeId, meta }) => [
      edgeId.slice(-2),
      meta["$.name"],
    ]);
    return Object.fromEntries(named);
  };
  expect(await names()).toEqual({ 77: "Lock", 78: "Lamp", 79: undefined, "7A": undefined });
  await run("hubs name-devices hub", ["Reading lamp", "-"]);
  expect(await names()).toEqual({ 77: "Lock", 78: "Lamp", 79: "Reading lamp", "7A": undefined });
  expect((await desk.run("hubs name-devices hub", {})).exitStatus).toBe(2);
  expect((await desk.run("hubs name-devices hub --yes", {})).exitStatus).toBe(0);
  expect(await names()).toEqual({ 77: "Lock", 78: "Lamp", 79: "Reading lamp", "7A": "Lamp 2" });
  expect((await run("hubs name-devices hub")).stderr).toContain("Every device of this hub has a name.");
});
