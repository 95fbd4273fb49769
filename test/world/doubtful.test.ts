/** A value that is not known is read until it is known: no further write, read or restart is needed for it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

const HUE = "LightColor.hue";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const shown = () => until(world.cached(LAMP, HUE));

/** The lamp carries out a write and reports nothing: nor does it answer for so long afterwards, ms. */
async function writeUnanswered(value: number, silentMs: number): Promise<void> {
  world.device(LAMP).fail({ mode: "mute" });
  expect(await until(world.put(LAMP, HUE, value))).toMatchObject({ outcome: "unknown" });
  expect(world.device(LAMP).read(HUE)).toBe(value);
  await world.clock.advance(silentMs);
}

describe("the value of a device that was silent after a write", () => {
  it("is shown soon after the device answers again", async () => {
    await writeUnanswered(90, 20_000);
    expect(await shown()).not.toBe(90);
    world.device(LAMP).fail({ mode: "none" });
    await world.clock.advance(35_000);
    expect(await shown()).toBe(90);
  });

  it("is shown when the hub was killed meanwhile, and the device did not answer the new one at first", async () => {
    await writeUnanswered(91, 5000);
    world.hub.kill();
    await world.hub.start();
    await world.clock.advance(20_000);
    expect(await shown()).not.toBe(91);
    world.device(LAMP).fail({ mode: "none" });
    await world.clock.advance(35_000);
    expect(await shown()).toBe(91);
  });

  it("is shown when the hub's disk did not take the device's first answer", async () => {
    await writeUnanswered(92, 0);
    world.hub.disk.refuse(1);
    world.device(LAMP).fail({ mode: "none" });
    await world.clock.advance(20_000);
    expect(await shown()).not.toBe(92);
    world.hub.disk.refuse(0);
    await world.clock.advance(35_000);
    expect(await shown()).toBe(92);
  });
});
