/** A home of real processes under faults for a few seconds: the answers of clients and the acts of devices can both be true. At length: `npm run test:faults -- --home`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportOf } from "./report.ts";
import { type RunOptions, run } from "./run.ts";

/** Only ends a hung run. */
const LIMIT = { timeout: 300_000 };

async function runFor(options: Pick<RunOptions, "lengthMs"> & Partial<RunOptions>) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-home-faults-"));
  const whole = { seed: 1, nodes: 1, restMs: 2000, folder, ...options };
  const result = await run(whole);
  if (!options.isLying) console.info(reportOf(whole, result));
  // Violations are looked into afterwards.
  if (result.judgement.violations.length === 0 || options.isLying) rmSync(folder, { recursive: true });
  return result;
}

test("answers to clients are true while service, hub, devices and lines are broken", LIMIT, async () => {
  const { judgement, record, stories } = await runFor({ lengthMs: 10_000 });
  expect(judgement.violations.map(({ text }, at) => [text, ...(stories[at] ?? [])].join("\n"))).toEqual([]);
  // A run in which nothing happened would prove nothing.
  expect(new Set(record.faults.map(({ track }) => track)).size).toBe(4);
  expect(record.acts.length).toBeGreaterThan(0);
});

test("a line that carries each write to the device as two is found", LIMIT, async () => {
  const { judgement } = await runFor({ lengthMs: 1000, isLying: true });
  expect(new Set(judgement.violations.map(({ rule }) => rule))).toContain("twice");
});
