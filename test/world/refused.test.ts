/** What a hub has refused stays refused: for each later request, and however late the refusal travels (docs/contract/tunnel.md). */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const put = (property: string, value: number, wait: number, key: string) =>
  world.put(LAMP, property, value, wait, { "idempotency-key": key });
const applied = (value: number) => world.device(LAMP).writes.filter((write) => write.value === value).length;

/** The lamp is away; the hub's frames are delayed for long. */
async function away(): Promise<void> {
  for (const line of world.lines) line.unplug();
  await world.clock.advance(1000);
  world.hub.connection?.stall("what the hub says");
}

/** The lamp is back, and live. */
async function back(): Promise<void> {
  for (const line of world.lines) line.plug();
  await world.clock.advance(4000);
}

describe("a command that the hub has refused because its device was away", () => {
  it("is not carried out when the cloud asks for it again before the refusal has come", async () => {
    await away();
    const refused = put("LightColor.hue", 30, 14, "first");
    const late = put("LightColor.saturation", 31, 1, "second");
    await world.clock.advance(500);
    await back();
    expect(await until(late)).toMatchObject({ status: 504, outcome: "unknown" });
    // A repeat of an open command makes the cloud ask the hub about all open commands.
    const again = put("LightColor.saturation", 31, 1, "second");
    await world.clock.advance(3000);
    world.hub.connection?.release();
    expect(await until(refused)).toMatchObject({ status: 502, outcome: "not_applied" });
    await until(again);
    await world.calm();
    expect([applied(30), applied(31)]).toEqual([0, 0]);
    expect(await until(put("LightColor.hue", 30, 10, "first"))).toMatchObject({ status: 200 });
    expect(applied(30)).toBe(1);
  });

  it("is not carried out when hub and cloud have both been killed, and the hub is asked about it after that", async () => {
    await away();
    const refused = put("LightColor.hue", 40, 60, "third");
    await world.clock.advance(500);
    world.hub.kill();
    await world.hub.start();
    await back();
    const answer = await until(refused);
    expect(answer).toMatchObject({ outcome: expect.stringMatching(/unknown|not_applied/) });
    await world.calm();
    await world.clock.advance(60_000);
    expect(applied(40)).toBe(0);
    const command = await until(world.get(`/api/commands/${answer?.commandId}`));
    expect(command?.body).toMatchObject({ state: "failed", outcome: "not_applied" });
  });

  it("is in the hub's journal as soon as its disk takes it, so that a hub that is killed then refuses it too", async () => {
    await away();
    world.hub.disk.refuse(1);
    const refused = put("LightColor.hue", 50, 20, "fourth");
    await world.clock.advance(1000);
    world.hub.disk.refuse(0);
    await world.clock.advance(1500);
    world.hub.kill();
    const answer = await until(refused);
    expect(world.journal(answer?.commandId ?? "")).toMatchObject({ outcome: "not_applied" });
    await world.hub.start();
    await back();
    await world.calm();
    expect(applied(50)).toBe(0);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "failed", outcome: "not_applied" });
  });
});
