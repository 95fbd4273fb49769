/** Starts a cloud and a hub of the ladder, each in a process of its own. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../../parts/program.ts";
import type { Pair } from "../parts.ts";
import { INSPECTED } from "../profile/session.ts";
import type { Step } from "./steps.ts";

export interface StepsPair extends Pair {
  /** The cloud's database is in `cloud` in it. */
  readonly folder: string;
}

/** @param last the highest step that both have @param devices of the hub */
export async function startSteps(last: Step, devices: number): Promise<StepsPair> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-steps-"));
  for (const name of ["cloud", "hub"]) mkdirSync(join(folder, name));
  const count = String(devices);
  const cloud = new Program(
    "cloud of steps",
    "test/bench/steps/cloud.ts",
    [join(folder, "cloud"), last, count],
    INSPECTED,
  );
  const url = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  const args = [url.replace("http", "ws"), join(folder, "hub"), last, count];
  const hub = new Program("hub of steps", "test/bench/steps/hub.ts", args, INSPECTED);
  await hub.line((line) => (line === "ready" ? true : undefined));
  return {
    url,
    folder,
    cloud,
    hub,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await cloud[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
