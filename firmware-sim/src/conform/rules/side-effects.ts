/** Rule P1: what a WRITE changes besides the property that it names is reported. */
import { type Value, valuesEqual } from "@porchlight/shared/model";
import type { NodeBench } from "../node-bench.ts";
import { Broken } from "../rule.ts";
import { canRead, canWrite, otherValue, read, remember, targets, writeOf } from "../targets.ts";
import { hasValue, isOf } from "./telling.ts";

/** Properties that are written to see what they change besides: each takes a second. */
const MOST_WRITTEN = 8;

/** @throws Broken when a WRITE has changed another property and nothing is reported of that */
export async function sideEffects(bench: NodeBench): Promise<void> {
  const watched = targets(bench, (each) => hasValue(each) && each.description.access.includes("notify"));
  for (const target of targets(bench, (each) => canRead(each) && canWrite(each)).slice(0, MOST_WRITTEN)) {
    const present = await read(bench, target);
    const wanted = present === undefined ? undefined : otherValue(target.description, present);
    if (present === undefined || wanted === undefined) continue;
    remember(bench, target, present);
    const others = watched.filter((each) => !isOf(each, writeOf(target, 0, wanted)));
    const before: (Value | undefined)[] = [];
    for (const other of others) before.push(await read(bench, other));
    const mark = bench.mark;
    const from = bench.log.end;
    await bench.ask(writeOf(target, bench.newSeq(), wanted));
    await bench.pass(800);
    for (const [at, other] of others.entries()) {
      const now = await read(bench, other);
      if (now === undefined || valuesEqual(now, before[at] ?? null)) continue;
      if (bench.all("REPORT", mark).some(({ message }) => isOf(other, message))) continue;
      throw new Broken(
        `A WRITE of ${target.service}.${target.property} changed ${other.service}.${other.property}, which was not reported.`,
        bench.log.since(from, 12),
      );
    }
  }
}
