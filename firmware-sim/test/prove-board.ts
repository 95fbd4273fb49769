/** Proves a build of the C harness on a clock that stands still: its values, and what a person does at it, are given. */
import { readFileSync } from "node:fs";
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { proveNode, type RuleReport, ruleTexts } from "../src/index.ts";
import { Harness } from "./harness.ts";
import { HarnessLine } from "./harness-line.ts";

/** Of the harness: two devices; one of them counts its acts. */
export const DEFINES = ["PL_DEVICES_MAX=2", "WITH_CONFORMANCE"];

/** The sentences of the protocol document. */
export const RULES = ruleTexts(
  readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8"),
);

const VALUES = [false, 210.5, 60, 21.25];

/** Its first switch is turned and its button pressed by stimuli. @param only these rules; all of them when left out */
export async function proveBoard(program: string, only?: readonly string[]): Promise<RuleReport> {
  await using node = new Harness(program);
  const clock = new VirtualClock();
  await node.boot(100);
  for (const [slot, value] of VALUES.entries()) await node.set(slot, value);
  const line = new HarnessLine(node, clock);
  let boot = 9;
  let isOn = false;
  const turn = async () => {
    isOn = !isOn;
    await node.set(0, isOn);
    await node.ask("changed 0");
  };
  const reset = async () => {
    await node.ask(`start ${boot * 77} ${++boot} ${clock.monotonic()}`);
    for (const [slot, value] of VALUES.entries()) await node.set(slot, value);
  };
  const proof = proveNode({
    ...{ clock, random: seededRandom(3), link: line, jitter: 10, where: "the harness", texts: RULES, only },
    reset: () => line.do(reset),
    stimuli: [
      { name: "turn", run: () => line.do(turn) },
      { name: "press", run: () => line.do(async () => void (await node.ask("press 0"))) },
      { name: "press long", run: () => line.do(async () => void (await node.ask("press 3"))) },
    ],
  });
  return await line.until(proof);
}

/** The mistake, in words. */
export function failures({ results }: RuleReport): string[] {
  return results.flatMap(({ id, verdict }) =>
    verdict.kind === "fail" ? verdict.violations.map(({ what }) => `${id}: ${what}`) : [],
  );
}
