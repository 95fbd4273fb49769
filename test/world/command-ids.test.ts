/** An ID that a caller was answered is that of a command that can be asked for, also when the store took nothing at the time. */
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

/** The store takes nothing while `work` is done, and everything after it. */
async function whileRefused<T>(work: () => Promise<T>): Promise<T> {
  world.cloud.disk.refuse(1);
  try {
    return await work();
  } finally {
    world.cloud.disk.refuse(0);
  }
}

describe("a command whose end the store does not take", () => {
  it("is not sent, and is found by its ID once the store takes it", async () => {
    world.hub.kill();
    await world.clock.advance(20_000);
    const answer = await whileRefused(() => until(world.put(LAMP, HUE, 50)));
    expect(answer).toMatchObject({ status: 503, outcome: "not_sent", commandId: expect.stringMatching(/^cmd_/) });
    expect(await until(world.command(answer?.commandId))).toMatchObject({ status: 400 });
    await world.clock.advance(2000);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "failed", outcome: "not_sent" });
  });

  it("is unknown, and is found by its ID, and settled by the hub that never got it", async () => {
    world.hub.connection?.die();
    const answer = await whileRefused(() => until(world.put(LAMP, HUE, 51, 2)));
    expect(answer).toMatchObject({ status: 504, outcome: "unknown", commandId: expect.stringMatching(/^cmd_/) });
    await world.clock.advance(2000);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "sent" });
    await world.calm();
    await world.clock.advance(60_000);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "failed", outcome: "not_applied" });
    expect(world.device(LAMP).writes).toEqual([]);
  });

  it("of a device that has confirmed is found by its ID, when the hub has sent its record", async () => {
    const answer = await whileRefused(() => until(world.put(LAMP, HUE, 52)));
    expect(answer).toMatchObject({ status: 503, outcome: "unknown", commandId: expect.stringMatching(/^cmd_/) });
    await world.calm();
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "confirmed" });
  });
});
