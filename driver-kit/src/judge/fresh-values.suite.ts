/** The group of fresh values: a repeated value is reported as seen again, an overtaken answer does not count, no command is repeated. */
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import type { Exemption, JudgeOptions, OpenWorld } from "./world.suite.ts";

export function judgeFreshValues(open: OpenWorld, options: JudgeOptions): void {
  const { without = {} } = options;

  const judgedOn = (what: Exemption) => without[what] === undefined;
  if (judgedOn("repeats"))
    test("reports a value that the device repeats to its host", async () => {
      await using one = await Trial.begin(open, options);
      const { device, property, change, repeat } = one.world;
      change.call(one.world, true);
      await one.clock.advance(10_000);
      const before = one.host.timesOf(device, property);
      repeat?.call(one.world);
      await one.clock.advance(2000);
      expect(one.host.valueOf(device, property)).toBe(true);
      expect(one.host.timesOf(device, property)).toBe(before + 1);
    });

  if (judgedOn("early samples"))
    test("does not return an answer that was sampled before a newer report", async () => {
      await using one = await Trial.begin(open, options);
      const { device, property, world } = { ...one.world, world: one.world };
      world.slow(1000);
      world.sampleEarly?.();
      const reading = one.read(10_000);
      await one.clock.advance(300);
      world.change(true);
      const result = await one.settled(reading);
      if (result.kind === "value") expect(result.value).toBe(true);
      await one.clock.advance(60_000);
      expect(one.host.valueOf(device, property)).toBe(true);
    });

  test("does not repeat a command after its connection was lost and opened again", async () => {
    await using one = await Trial.begin(open, options);
    const { world } = one;
    world.slow(2000);
    const writing = one.write(true, 60_000);
    await one.clock.advance(500);
    world.cut();
    // Before that the command may have been sent again under its own number, which the device knows as a repetition.
    const before = world.touched();
    world.mend();
    await one.settled(writing);
    await one.clock.advance(120_000);
    expect([before > 0, world.touched()]).toEqual([true, before]);
  });
}
