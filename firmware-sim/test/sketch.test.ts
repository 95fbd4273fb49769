/** The sketch for boards, as a process whose Serial is its standard input and output, keeps the protocol. */
import { expect, it } from "vitest";
import { brokenRules } from "../src/index.ts";
import { Programs } from "./build.ts";
import { proveProgram } from "./process-line.ts";

it("compiles as the framework compiles it, and keeps every rule that shows in a few seconds", async () => {
  await using programs = await Programs.make();
  const report = await proveProgram(await programs.buildSketch("sketch"), "the sketch");
  expect(brokenRules(report)).toEqual([]);
  expect(report.results.filter(({ verdict }) => verdict.kind === "pass").length).toBeGreaterThan(30);
});
