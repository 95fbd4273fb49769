/** The agent's driver is proved by `conform --agent` on a clock that stands still, and a driver with one mistake is caught under its number. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { linkDriver } from "@porchlight/driver-porchlight";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../test/parts/program.ts";
import { rounds } from "../../test/parts/rounds.ts";
import { brokenRules } from "../src/index.ts";
import { DriverBuilds } from "./broken-driver.ts";
import { edited, type HubMutant } from "./mutants/mutant.ts";
import { HUB_MUTANTS, NO_HUB_MUTANT, uncovered } from "./mutants/tables.ts";
import { failures, RULES } from "./prove-board.ts";
import { HUB, proveDriver } from "./prove-driver.ts";

it("every number of the document has a rule for hubs or a reason, and none has both", async () => {
  const { results } = await proveDriver(linkDriver);
  expect(results.map(({ id }) => id)).toEqual([...RULES.keys()]);
});

it("the driver keeps every rule that binds a hub", async () => {
  const report = await proveDriver(linkDriver);
  expect(failures(report)).toEqual([]);
  expect(report.results.filter(({ verdict }) => verdict.kind === "not_run")).toEqual([]);
  expect(report.results.filter(({ verdict }) => verdict.kind === "pass").length).toBeGreaterThan(45);
  expect(report.subject).toBe(`hub ${HUB} on memory`);
});

it("every rule that binds a hub has two mutants, or a reason why it has none", () => {
  expect(uncovered(RULES.keys(), HUB_MUTANTS, NO_HUB_MUTANT)).toEqual([]);
  expect(HUB_MUTANTS.filter(([rule]) => !RULES.has(rule))).toEqual([]);
});

it("every mistake can be made: its text is in its file exactly once", () => {
  const made = ([, , file, ...edits]: HubMutant) => edited(readFileSync(join(ROOT, file), "utf8"), edits, file);
  for (const mutant of HUB_MUTANTS) expect(() => made(mutant), mutant[1]).not.toThrow();
});

/** Some in every run, all of them in the long one. */
const EVERY = rounds(24, 1);
/** A mistake in frames, messages or descriptions breaks many other rules. */
const HARMS_ALL = /^[FCMDS]/;

describe("a driver with one mistake is caught:", () => {
  let builds: DriverBuilds;
  beforeAll(async () => {
    builds = await DriverBuilds.make();
  });
  afterAll(() => builds[Symbol.asyncDispose]());

  const mutants = HUB_MUTANTS.map(([rule, mistake, file, ...edits]) => ({ rule, mistake, file, edits }));
  it.each(mutants.filter((_, at) => at % EVERY === 0))("$rule, when it $mistake", async ({ rule, file, edits }) => {
    const report = await proveDriver(await builds.broken(file, edits));
    const broken = brokenRules(report);
    expect(broken.slice(0, 3), failures(report).join("\n")).toContain(rule);
    // What else a mistake breaks is reported too, and is never much: the number leads to the mistake.
    if (!HARMS_ALL.test(rule)) expect(broken.length, failures(report).join("\n")).toBeLessThanOrEqual(6);
  });
});
