/** Breaks one thing after another, by chance: what it has broken, and when, is recorded for readers of a failing run. */
import { pick, type Random } from "@porchlight/shared/kernel";
import type { Fault } from "./faults.ts";
import type { World } from "./world.ts";

export interface NemesisOptions {
  readonly faults: Readonly<Record<string, Fault>>;
  /** Between two faults: at least so long, and by chance so much longer, ms. */
  readonly pauseMs: readonly [least: number, more: number];
  /** Takes a line for each. */
  readonly record: string[];
  /** On the world's clock, ms. */
  readonly end: number;
}

/** Settles when the last fault is over. */
export async function nemesis(
  world: World,
  random: Random,
  { faults, pauseMs: [least, more], record, end }: NemesisOptions,
): Promise<void> {
  const names = Object.keys(faults) as [string, ...string[]];
  while (world.clock.monotonic() < end) {
    await world.sleep(least + random.fraction() * more);
    const name = pick(random, names);
    const at = record.push(`${Math.round(world.clock.monotonic())} ms: ${name}`) - 1;
    await faults[name]?.(world, random);
    record[at] += `, over at ${world.clock.monotonic()} ms`;
  }
}
