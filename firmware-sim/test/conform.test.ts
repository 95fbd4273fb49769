/** The C node is proved by `conform` on a clock that stands still, and firmware with one mistake is caught under its number. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rounds } from "../../test/parts/rounds.ts";
import { brokenRules } from "../src/index.ts";
import { Programs } from "./build.ts";
import { BOARD_MUTANTS, NO_BOARD_MUTANT, uncovered } from "./mutants/tables.ts";
import { DEFINES, failures, proveBoard, RULES } from "./prove-board.ts";

let programs: Programs;
beforeAll(async () => {
  programs = await Programs.make();
});
afterAll(() => programs[Symbol.asyncDispose]());

it("porchlight.c keeps every rule that binds a node", async () => {
  const report = await proveBoard(await programs.build("good", ["test/harness.c"], DEFINES));
  expect(failures(report)).toEqual([]);
  const left = report.results.filter(({ verdict }) => verdict.kind === "not_run").map(({ id }) => id);
  expect(left).toEqual([]);
  const notes = new Map(
    report.results.map(({ id, verdict }) => [id, verdict.kind === "pass" ? verdict.note : verdict.kind]),
  );
  expect([notes.get("R2"), notes.get("R5")]).toEqual(["proved by Conformance.acted", "proved by Conformance.acted"]);
});

it("every rule that binds a node has two mutants, or a reason why it has none", () => {
  expect(uncovered(RULES.keys(), BOARD_MUTANTS, NO_BOARD_MUTANT)).toEqual([]);
  expect(BOARD_MUTANTS.filter(([rule]) => !RULES.has(rule))).toEqual([]);
});

/** Some in every run, all of them in the long one. */
const EVERY = rounds(36, 1);
/** A mistake in frames or messages breaks many other rules. */
const HARMS_ALL = /^[FCMD]/;
/** Proved to the end only when its number is requested. */
const LONG = "S1";

describe("firmware with one mistake is caught:", () => {
  const mutants = BOARD_MUTANTS.map(([rule, mistake, ...edits]) => ({ rule, mistake, edits }));
  it.each(mutants.filter((_, at) => at % EVERY === 0))("$rule, when it $mistake", async ({ rule, edits }) => {
    const program = await programs.buildBroken(`broken-${rule}`, edits, DEFINES);
    const report = await proveBoard(program);
    const broken = brokenRules(report);
    if (rule === LONG && broken.length === 0) {
      expect(brokenRules(await proveBoard(program, [LONG]))).toEqual([LONG]);
      return;
    }
    expect(broken.slice(0, 3), failures(report).join("\n")).toContain(rule);
    // What else a mistake breaks is reported too, and is never much: the number leads to the mistake.
    if (!HARMS_ALL.test(rule)) expect(broken.length, failures(report).join("\n")).toBeLessThanOrEqual(3);
  });
});
