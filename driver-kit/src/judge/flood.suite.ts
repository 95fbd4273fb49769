/** Group 5: with any input from the device's side, and any amount of it, the driver stays, and has taken or counted each thing. */
import { memoryUsage } from "node:process";
import { expect, test } from "vitest";
import { countNamed } from "./status-counts.suite.ts";
import { Trial } from "./trial.suite.ts";
import { type FloodKind, given, type JudgeOptions, type OpenWorld } from "./world.suite.ts";

const KINDS: readonly FloodKind[] = ["reports", "garbage", "long messages"];
/** The fewest things that a flood of each kind must say. */
const FEWEST: Readonly<Record<FloodKind, number>> = { reports: 10_000, garbage: 1000, "long messages": 10 };
/** Time for the flood to pass, ms. */
const AFTER_MS = 60_000;
/** What a driver may hold more after a flood, bytes: generous, because the fakes remember too, and nothing is collected on demand. */
const MOST_MORE_BYTES = 128 * 1024 * 1024;

export function judgeFlood(open: OpenWorld, options: JudgeOptions): void {
  const kinds = KINDS.filter((kind) => options.without?.[`flood of ${kind}`] === undefined);
  const crowd = options.without?.crowd === undefined ? 1 : 0;

  test.for(kinds)(
    "stays when it is flooded with %s: each is taken or counted under a name, and devices are served",
    async (kind) => {
      await using one = await Trial.begin(open, { ...options, crowd });
      const { world } = one;
      const flood = given(world.floods?.[kind], `flood of ${kind}`);
      const aside = () => countNamed(one.driver.status?.(), world.leftAside);
      const [reported0, aside0, bytes0] = [one.reportCount, aside(), memoryUsage().heapUsed];
      const sent = flood();
      expect(sent).toBeGreaterThanOrEqual(FEWEST[kind]);
      await one.clock.advance(AFTER_MS);
      const accounted = one.reportCount - reported0 + (aside() - aside0);
      expect(
        accounted,
        `of ${sent} so many were reported to the host or counted under ${world.leftAside.join(", ")}`,
      ).toBeGreaterThanOrEqual(sent);
      expect(memoryUsage().heapUsed - bytes0).toBeLessThan(MOST_MORE_BYTES);
      for (const edgeId of one.edgeIds) expect([edgeId, one.driver.has(edgeId)]).toEqual([edgeId, true]);
      for (const { edgeId, property } of one.crowd) {
        const written = one.driver.write(edgeId, property, true, one.attempt(5000));
        expect(await one.settled(written)).toEqual({ kind: "value", value: true });
      }
      expect(await one.settled(one.write(true))).toEqual({ kind: "value", value: true });
    },
  );

  // Bytes that wait for a reader must not keep the driver from ending.
  test.for(kinds)("can be ended in the middle of a flood of %s", async (kind) => {
    await using one = await Trial.begin(open, options);
    given(one.world.floods?.[kind], `flood of ${kind}`)();
    await one.end();
    expect([one.pending, one.host.live.size, one.world.held()]).toEqual([[], 0, 0]);
  });
}
