/** Death at every moment of one PUT: for each process that dies, and between each two steps, the lamp moves at most once and no answer is false. */
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rounds } from "../parts/rounds.ts";
import { LAMP } from "./devices.ts";
import { judgeCommands, judgePuts, type Put } from "./history.ts";
import { World } from "./world.ts";

const HUE = "LightColor.hue";
/** A PUT takes about 150 ms of the world; it is cut at each of these moments after it was sent, ms. */
const MOMENTS = Array.from({ length: rounds(12, 24) }, (_, index) => index * rounds(16, 8));

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

/** Sends a PUT, lets `die` happen so long after it, and gives what its caller saw. */
async function putAndDie(value: number, afterMs: number, die: () => Promise<void>): Promise<Put> {
  const put: Put = { device: LAMP, property: HUE, value, sentAt: world.clock.monotonic(), waitMs: 20_000 };
  const answers = world.put(LAMP, HUE, value, 20).then((answer) => {
    if (answer) put.answer = { at: world.clock.monotonic(), ...answer };
  });
  await world.clock.advance(afterMs);
  // Between two steps of the same instant too.
  await settle(afterMs % 3);
  await die();
  await world.calm();
  await world.clock.until(answers);
  await world.clock.advance(3000);
  return put;
}

/** Everything that must hold of these PUTs, as sentences. */
async function judge(puts: readonly Put[]): Promise<string[]> {
  const writes = world.device(LAMP).writes.map(({ value }) => ({ device: LAMP, property: HUE, value, at: 0 }));
  const { commands } = world.stored();
  const shown = await world.clock.until(world.cached(LAMP, HUE));
  const has = world.device(LAMP).read(HUE);
  return [
    ...judgePuts(puts, writes, 0),
    ...judgeCommands(puts, commands),
    ...commands.filter(({ state }) => state === "sent").map(({ value }) => `the command for ${value} is never settled`),
    ...(shown === has ? [] : [`the lamp is ${has} and the cloud shows ${shown}`]),
  ];
}

describe("a PUT", () => {
  it("whose hub dies at any moment moves the lamp at most once, and is settled", async () => {
    const puts: Put[] = [];
    for (const [index, afterMs] of MOMENTS.entries()) {
      const dies = async () => {
        world.hub.kill();
        await world.hub.start();
      };
      puts.push(await putAndDie(100 + index, afterMs, dies));
    }
    expect(await judge(puts)).toEqual([]);
  });

  it("whose hub dies in the moment in which the lamp moves does not move it again", async () => {
    const puts: Put[] = [];
    for (const value of [150, 151, 152]) {
      const dies = async () => {
        while (world.device(LAMP).read(HUE) !== value) await world.clock.advance(0.5);
        world.hub.kill();
        await world.hub.start();
      };
      puts.push(await putAndDie(value, 1, dies));
    }
    expect(await judge(puts)).toEqual([]);
  });

  it("whose cloud dies at any moment moves the lamp at most once, and is settled", async () => {
    const puts: Put[] = [];
    for (const [index, afterMs] of MOMENTS.entries()) {
      const dies = async () => {
        await world.cloud.kill();
        await world.cloud.start();
      };
      puts.push(await putAndDie(200 + index, afterMs, dies));
    }
    expect(await judge(puts)).toEqual([]);
    const known = new Set(world.stored().commands.map(({ value }) => Number(value)));
    const unknown = world.device(LAMP).writes.filter(({ value }) => !known.has(Number(value)));
    expect(unknown, "writes of which the cloud knows no command").toEqual([]);
  });

  it("whose connection is cut at any moment moves the lamp at most once, and is settled", async () => {
    const puts: Put[] = [];
    for (const [index, afterMs] of MOMENTS.entries()) {
      puts.push(await putAndDie(250 + index, afterMs, async () => world.hub.connection?.cut()));
    }
    expect(await judge(puts)).toEqual([]);
  });

  it("during which a person turns the lamp by hand leaves the cloud showing what the lamp has", async () => {
    const puts: Put[] = [];
    for (const [index, afterMs] of MOMENTS.entries()) {
      puts.push(await putAndDie(300 + index, afterMs, async () => world.device(LAMP).turn(HUE, 30 + index)));
      expect(await world.clock.until(world.cached(LAMP, HUE)), `turned ${afterMs} ms after the PUT`).toBe(
        world.device(LAMP).read(HUE),
      );
    }
    expect(await judge(puts)).toEqual([]);
  });
});
