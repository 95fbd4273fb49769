/** A hub that has just started, or whose line was opened anew, has not met its devices yet: commands to them wait meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

const HUE = "LightColor.hue";
const UNREACHABLE = { status: 502, outcome: "not_applied", title: "Device Unreachable" };

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const applied = () => world.device(LAMP).writes.map(({ value }) => value);
const state = async (id: string | undefined) => (await until(world.command(id)))?.state;
const unplug = () => {
  for (const line of world.lines) line.unplug();
};
const plug = () => {
  for (const line of world.lines) line.plug();
};

/** Starts the hub with lines that are not open yet, and waits until its tunnel stands. */
async function startWithoutLines(): Promise<void> {
  unplug();
  await world.hub.start();
  while (world.hub.agent.status().tunnel.state !== "online") await world.clock.advance(20);
}

describe("a hub that has just started", () => {
  it("carries out waiting commands when their device is there, seconds later, in their order", async () => {
    world.hub.kill();
    await world.clock.advance(1_000);
    const given = [];
    for (const value of [10, 20, 30]) given.push(await until(world.defer(LAMP, HUE, value, 600)));
    await startWithoutLines();
    await world.clock.advance(4_000);
    const later = world.put(LAMP, HUE, 40);
    await world.clock.advance(1_000);
    expect([applied(), world.hub.agent.status().commandsWaiting]).toEqual([[], 4]);
    plug();
    expect(await until(later)).toMatchObject({ status: 200 });
    await world.calm();
    expect(applied()).toEqual([10, 20, 30, 40]);
    expect(await Promise.all(given.map((command) => state(command?.id)))).toEqual(given.map(() => "confirmed"));
  });

  it("carries out nothing late: a caller who did not wait long enough is answered that nothing was done, and nothing is", async () => {
    world.hub.kill();
    await startWithoutLines();
    const expiring = await until(world.defer(LAMP, HUE, 10, 3));
    const asked = world.clock.monotonic();
    expect(await until(world.put(LAMP, HUE, 20, 4))).toMatchObject(UNREACHABLE);
    expect(world.clock.monotonic() - asked).toBeGreaterThan(3_000);
    await world.clock.advance(1_000);
    plug();
    await world.calm();
    expect(["failed", "expired"]).toContain(await state(expiring?.id));
    expect(applied()).toEqual([]);
  });

  it("reads from a device that it has not met yet as soon as it is there", async () => {
    world.hub.kill();
    await startWithoutLines();
    const read = world.get(`/api/devices/${world.deviceId(LAMP)}/services/${HUE}?refresh=true`);
    await world.clock.advance(3_000);
    plug();
    expect(await until(read)).toMatchObject({ status: 200, body: { items: [{ property: "hue" }] } });
  });

  it("reports at once that a device is away which did not come back in time", async () => {
    world.hub.kill();
    await startWithoutLines();
    await world.clock.advance(15_000);
    const asked = world.clock.monotonic();
    expect(await until(world.put(LAMP, HUE, 20))).toMatchObject(UNREACHABLE);
    expect(world.clock.monotonic() - asked).toBeLessThan(500);
  });

  it("and dies again while commands wait for its devices carries each out once, in its next life", async () => {
    world.hub.kill();
    await world.clock.advance(1_000);
    for (const value of [10, 20]) await until(world.defer(LAMP, HUE, value, 600));
    for (let life = 0; life < 3; life += 1) {
      await startWithoutLines();
      await world.clock.advance(1_000 + 700 * life);
      world.hub.kill();
    }
    await world.hub.start();
    await world.calm();
    expect(applied()).toEqual([10, 20]);
  });
});

describe("a line that is opened anew", () => {
  it("delays each command until its device has been met", async () => {
    unplug();
    await world.clock.advance(1_000);
    expect(await until(world.put(LAMP, HUE, 10))).toMatchObject(UNREACHABLE);
    for (const line of world.lines) line.noise = { drop: 1, corrupt: 0, duplicate: 0 };
    plug();
    await world.clock.advance(2_000);
    const answer = world.put(LAMP, HUE, 20);
    await world.clock.advance(2_000);
    for (const line of world.lines) line.noise = { drop: 0, corrupt: 0, duplicate: 0 };
    expect(await until(answer)).toMatchObject({ status: 200 });
    expect(applied()).toEqual([20]);
  });
});
