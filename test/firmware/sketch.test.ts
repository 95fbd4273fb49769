/** The sketch for boards, as a process whose Serial is its standard input and output, keeps the protocol. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { brokenRules, proveNode, ruleTexts } from "@porchlight/firmware-sim";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { expect, it } from "vitest";
import { Programs } from "./build.ts";

const texts = ruleTexts(readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

function lineTo({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): ByteLink {
  let said = "";
  stderr.on("data", (text) => {
    said += text;
  });
  stdin.on("error", () => undefined);
  return {
    listen(onBytes, onClosed) {
      stdout.on("data", onBytes);
      stdout.on("close", () => onClosed(`the sketch has ended: ${said}`));
    },
    write: (bytes) =>
      new Promise((resolve, reject) => stdin.write(bytes, (error) => (error ? reject(error) : resolve()))),
    close: () => void stdin.end(),
  };
}

it("compiles as the framework compiles it, and keeps every rule that shows in a few seconds", async () => {
  await using programs = await Programs.make();
  const sketch = spawn(await programs.buildSketch("sketch"), { stdio: "pipe" });
  const link = lineTo(sketch);
  const where = "the sketch";
  const report = await proveNode({
    clock: systemClock,
    random: systemRandom,
    link,
    jitter: 250,
    where,
    texts,
    quick: true,
  });
  expect(brokenRules(report)).toEqual([]);
  expect(report.results.filter(({ verdict }) => verdict.kind === "pass").length).toBeGreaterThan(30);
});
