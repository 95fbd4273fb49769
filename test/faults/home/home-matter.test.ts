/**
 * A home of real processes with a Matter device, behind the driver as it is released: the answers of clients and its acts can both be true,
 * while the driver's process, the hub, the device and the cable between them die, one after another. At length, with all other faults beside
 * them: `npm run test:faults -- --home`. Its own file so that it runs beside the home without it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlannedFault } from "./plan.ts";
import { reportOf } from "./report.ts";
import { run } from "./run.ts";

/**
 * One of each kind, with time between them to be there again; on a slow machine they come when they can. The driver dies while the device does
 * commands to it and its answers are lost: what is under way then has been done, and no caller may get an answer that it has not.
 */
const FAULTS: readonly PlannedFault[] = [
  { track: "cable", name: "silence device", target: "shutter", at: 500, forMs: 2500, amount: 0 },
  { track: "matter", name: "kill", target: "driver", at: 2000, forMs: 0, amount: 0 },
  { track: "matter", name: "kill", target: "shutter", at: 8000, forMs: 500, amount: 0 },
  { track: "cable", name: "pull", target: "shutter", at: 13_000, forMs: 1000, amount: 0 },
  { track: "hub", name: "kill", target: "agent", at: 15_000, forMs: 300, amount: 0 },
];
/** None is left out for being late. */
const LENGTH_MS = 300_000;

test("answers to clients about a Matter device are true while its driver, hub and network break", async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-home-matter-"));
  const options = { seed: 1, nodes: 1, lengthMs: LENGTH_MS, restMs: 1, folder, hasMatter: true, faults: FAULTS };
  const result = await run(options);
  console.info(reportOf(options, result));
  const { judgement, record, stories } = result;
  expect(judgement.violations.map(({ text }, at) => [text, ...(stories[at] ?? [])].join("\n"))).toEqual([]);
  // A run in which nothing happened would prove nothing.
  expect(record.faults).toHaveLength(FAULTS.length);
  const ofMatter = record.acts.filter(({ by, device }) => by === "write" && device === record.matterDevice);
  expect(ofMatter.length).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
});
