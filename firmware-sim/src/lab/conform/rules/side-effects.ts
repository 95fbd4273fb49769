/** Rule P1: a device reports changes that no WRITE names, made at the device or caused by a write to another property. */
import { type Value, valuesEqual } from "@porchlight/shared/model";
import type { NodeBench } from "../node-bench.ts";
import { Broken } from "../rule.ts";
import { canRead, canWrite, otherValue, read, remember, targets, writeOf } from "../targets.ts";
import { hasValue, isOf } from "./telling.ts";

/** Maximum number of properties to write for side effects (P1): each takes a second. */
const MOST_WRITTEN = 8;

/** Time limit for the report of an action at the device, ms. */
const SOON = 2000;

/** Properties that are readable and reported on change. */
const watchedOf = (bench: NodeBench) =>
  targets(bench, (each) => hasValue(each) && each.description.access.includes("notify"));

/** @throws Broken when an action at the device changes a value without a report */
export async function changesAtDevice(bench: NodeBench): Promise<void> {
  const watched = watchedOf(bench);
  // Run each twice: the first time may leave the value unchanged.
  for (const stimulus of [...bench.stimuli, ...bench.stimuli]) {
    await bench.live();
    // Keep the pace of P8.
    await bench.pass(300);
    const before: (Value | undefined)[] = [];
    for (const each of watched) before.push(await read(bench, each));
    const mark = bench.mark;
    const from = bench.log.end;
    await stimulus.run();
    await bench.next(mark, SOON, ({ message }) => message.type === "REPORT");
    for (const [at, each] of watched.entries()) {
      const now = await read(bench, each);
      if (now === undefined || valuesEqual(now, before[at] ?? null)) continue;
      if (await bench.next(mark, SOON, ({ message }) => message.type === "REPORT" && isOf(each, message))) continue;
      throw new Broken(
        `"${stimulus.name}" changed ${each.service}.${each.property}, which was not reported.`,
        bench.log.since(from, 12),
      );
    }
  }
}

/** @throws Broken when a WRITE has changed another property without a report */
export async function sideEffects(bench: NodeBench): Promise<void> {
  const watched = watchedOf(bench);
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
