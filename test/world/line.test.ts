/** A line between hub and devices alone: what happens on it stays on it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP, SWITCH } from "./devices.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const put = (value: number, wait = 10) => world.put(LAMP, "LightColor.hue", value, wait);

describe("a line", () => {
  it("that is unplugged takes only its own devices away, and brings them back", async () => {
    world.lines[0].unplug();
    await world.clock.advance(1000);
    expect(await until(put(40))).toMatchObject({ status: 502, outcome: "not_applied" });
    expect(await until(world.put(SWITCH, "Switch:0.on", true))).toMatchObject({ status: 200 });
    world.lines[0].plug();
    await world.calm();
    expect(await until(put(41))).toMatchObject({ status: 200 });
  });

  it("on which a device never answers delays no other line", async () => {
    world.device(LAMP).fail({ mode: "silent" });
    const stuck = put(42);
    const before = world.clock.monotonic();
    expect(await until(world.put(SWITCH, "Switch:0.on", false))).toMatchObject({ status: 200 });
    expect(world.clock.monotonic() - before).toBeLessThan(500);
    expect(await until(stuck)).toMatchObject({ status: 502, outcome: "unknown" });
    world.device(LAMP).fail({ mode: "none" });
  });
});
