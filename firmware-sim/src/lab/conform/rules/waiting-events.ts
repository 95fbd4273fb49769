/** Rule P4: which of many events are told. */
import { type Value, valuesEqual } from "@porchlight/shared/model";
import type { NodeBench, Stimulus } from "../node-bench.ts";
import { Broken } from "../rule.ts";
import type { Target } from "../targets.ts";
import { drainReports, isOf } from "./telling.ts";

/** Events that a node keeps waiting at least. */
export const WAITING = 4;
/** More than any node keeps. */
const TOO_MANY = 40;

/**
 * More events than are kept, the last of them another than the rest: it must be told (P4).
 * @returns whether there was a stimulus that makes another event of the same property
 */
export async function newestIsTold(bench: NodeBench, target: Target): Promise<boolean> {
  const kinds = await eventsOf(bench, target);
  const [usual, other] = kinds;
  if (!usual || !other) return false;
  await bench.live();
  await bench.pass(300);
  bench.manners.acknowledges = false;
  const mark = bench.mark;
  for (let time = 0; time < TOO_MANY; time++) await usual.stimulus.run();
  await other.stimulus.run();
  await bench.pass(600);
  const [first] = bench.all("REPORT", mark);
  if (!first) throw new Broken("None of many events was reported.", bench.log.since(bench.log.end - 4));
  const from = bench.log.end;
  const reports = await drainReports(bench, first.message);
  const last = reports.filter(({ message }) => isOf(target, message)).at(-1);
  if (!last || !valuesEqual(last.message.value, other.value))
    throw new Broken(
      "When more events wait than the node keeps, the oldest is dropped first; the newest was not reported.",
      bench.log.since(from, 20),
    );
  return true;
}

/** One stimulus for each value that a property tells. */
async function eventsOf(bench: NodeBench, target: Target): Promise<{ stimulus: Stimulus; value: Value }[]> {
  const kinds: { stimulus: Stimulus; value: Value }[] = [];
  for (const stimulus of bench.stimuli) {
    await bench.live();
    await bench.pass(300);
    const mark = bench.mark;
    await stimulus.run();
    await bench.next(mark, 1500, ({ message }) => message.type === "REPORT");
    const told = bench.all("REPORT", mark).find(({ message }) => isOf(target, message));
    const value = told?.message.value;
    if (value !== undefined && !kinds.some((kind) => valuesEqual(kind.value, value))) kinds.push({ stimulus, value });
  }
  return kinds;
}
