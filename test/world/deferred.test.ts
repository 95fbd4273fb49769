/** Commands that wait for their hub, while hub, cloud and network come and go: in order, in time, at most once, and reported. */
import { seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

const HUE = "LightColor.hue";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const applied = () => world.device(LAMP).writes.map(({ value }) => value);
const defer = (value: number, ttl: number) => until(world.defer(LAMP, HUE, value, ttl));
const completed = () =>
  world
    .stored()
    .events.filter(({ type }) => type === "command.completed")
    .map(({ data }) => JSON.parse(String(data)) as { id: string; state: string });

async function restartCloud(): Promise<void> {
  await world.cloud.kill();
  await world.cloud.start();
}

describe("a command that waits for its hub", () => {
  it("is carried out when the hub is back, in its order, before a write that comes then", async () => {
    world.hub.kill();
    await world.clock.advance(1_000);
    for (const value of [10, 20, 30]) expect(await defer(value, 600)).toMatchObject({ state: "queued" });
    await restartCloud();
    expect(await defer(40, 600)).toMatchObject({ state: "queued" });
    await world.hub.start();
    let answer = await until(world.put(LAMP, HUE, 50));
    while (answer?.status === 503) {
      await world.clock.advance(50);
      answer = await until(world.put(LAMP, HUE, 50));
    }
    expect(answer).toMatchObject({ status: 200 });
    expect(applied()).toEqual([10, 20, 30, 40, 50]);
    await world.calm();
    expect(completed().map(({ state }) => state)).toEqual(["confirmed", "confirmed", "confirmed", "confirmed"]);
  });

  it("is never carried out once it has expired, and its end is reported in that moment, also by a cloud that was not there", async () => {
    world.hub.kill();
    await world.clock.advance(1_000);
    const first = await defer(10, 30);
    const second = await defer(20, 60);
    await world.clock.advance(31_000);
    expect(completed()).toMatchObject([{ id: first?.id, state: "expired" }]);
    await world.cloud.kill();
    await world.clock.advance(60_000);
    await world.cloud.start();
    await world.clock.advance(1_000);
    expect(completed()).toMatchObject([{ state: "expired" }, { id: second?.id, state: "expired" }]);
    await world.hub.start();
    await world.calm();
    expect(applied()).toEqual([]);
  });
});

describe("with crashes of each process at random times", () => {
  it.each(Array.from({ length: rounds(2, 200) }, (_, n) => n + 1))(
    "commands are carried out at most once, in time and in order, and each end is reported once (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      const given: { readonly id: string; readonly value: number; readonly expiresAt: number }[] = [];
      for (let value = 1; value <= 40; value += 1) {
        const chance = random.fraction();
        if (chance < 0.15) {
          world.hub.kill();
          await world.clock.advance(random.fraction() * 8_000);
          await world.hub.start();
        } else if (chance < 0.3) await restartCloud();
        else if (chance < 0.45) world.hub.connection?.cut();
        const ttl = 1 + Math.floor(random.fraction() * 20);
        const at = world.clock.now();
        const command = await defer(value, ttl);
        if (command) given.push({ id: command.id, value, expiresAt: at + ttl * 1_000 + 1_000 });
        await world.clock.advance(random.fraction() * 1_500);
      }
      await world.clock.advance(25_000);
      await world.calm();
      const values = applied();
      expect(values).toEqual([...new Set(values)].sort((a, b) => Number(a) - Number(b)));
      for (const { id, value, expiresAt } of given) {
        const write = world.device(LAMP).writes.find((each) => each.value === value);
        expect(write?.at ?? 0).toBeLessThanOrEqual(expiresAt);
        const ends = completed().filter((each) => each.id === id);
        expect([value, ends.length]).toEqual([value, 1]);
        if (ends[0]?.state === "confirmed") expect(values).toContain(value);
        if (ends[0]?.state === "expired") expect(values).not.toContain(value);
      }
    },
  );
});
