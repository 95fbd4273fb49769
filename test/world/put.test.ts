/** The journey of a PUT alone, with each way in which it can go wrong, on the virtual clock with the published lengths. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LAMP } from "./devices.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const put = (value: number, wait = 10) => world.put(LAMP, "LightColor.hue", value, wait);
const applied = (value: number) => world.device(LAMP).writes.filter((write) => write.value === value).length;

describe("a property PUT", () => {
  it("reaches the lamp and comes back with the lamp's value", async () => {
    expect(await until(put(120))).toMatchObject({ status: 200, value: 120 });
    expect(world.device(LAMP).read("LightColor.hue")).toBe(120);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(120);
  });

  it("is followed by a change at the lamp itself, in the cloud within a second", async () => {
    await until(put(120));
    world.device(LAMP).turn("LightLevel.level", 42);
    await world.clock.advance(1000);
    expect(await until(world.cached(LAMP, "LightLevel.level"))).toBe(42);
  });

  it("is answered at once when the tunnel drops, and never moves the lamp when it was not sent", async () => {
    world.device(LAMP).fail({ mode: "slow", ms: 8000 });
    const inFlight = put(10, 60);
    await world.clock.advance(500);
    const before = world.clock.monotonic();
    world.hub.connection?.cut();
    expect(await until(inFlight)).toMatchObject({ status: 504, outcome: "unknown" });
    expect(world.clock.monotonic() - before).toBeLessThan(100);
    world.hub.kill();
    await world.clock.advance(100);
    expect(await until(put(11))).toMatchObject({ status: 503, outcome: "not_sent" });
    await world.hub.start();
    world.device(LAMP).fail({ mode: "none" });
    await world.calm();
    expect(applied(11)).toBe(0);
  });

  it("after another to the same property reaches the device after it, however many wait", async () => {
    const values = Array.from({ length: 12 }, (_, index) => 300 + index);
    world.device(LAMP).fail({ mode: "busy", times: 1 });
    const answers = await until(Promise.all(values.map((value) => put(value, 30))));
    expect(answers.map((answer) => answer?.value)).toEqual(values);
    expect(world.device(LAMP).writes.map((write) => write.value)).toEqual(values);
  });

  it("that reaches the hub after the caller's 504 moves nothing", async () => {
    world.hub.stop();
    expect(await until(put(20, 2))).toMatchObject({ status: 504, outcome: "unknown" });
    world.hub.continue();
    await world.calm();
    expect(applied(20)).toBe(0);
  });

  it("that was held up on the network until after the caller's 504 moves nothing", async () => {
    world.hub.connection?.stall();
    expect(await until(put(21, 2))).toMatchObject({ status: 504 });
    world.hub.connection?.release();
    await world.calm();
    expect(applied(21)).toBe(0);
  });

  it("that the hub refuses too late for its caller is settled by the late answer, on the same connection", async () => {
    world.hub.connection?.stall();
    const answer = await until(put(22, 2));
    expect(answer).toMatchObject({ status: 504, outcome: "unknown" });
    world.hub.connection?.release();
    await world.clock.advance(1000);
    const command = await until(world.get(`/api/commands/${answer?.commandId}`));
    expect(command?.body).toMatchObject({ state: "failed", outcome: "not_applied" });
  });

  it("whose result comes after the caller's 504 is settled by it", async () => {
    world.device(LAMP).fail({ mode: "slow", ms: 1300 });
    const answer = await until(put(30, 1));
    expect(answer).toMatchObject({ status: 504, outcome: "unknown" });
    const open = await until(world.get(`/api/commands/${answer?.commandId}`));
    expect(open?.body).toMatchObject({ state: "sent", outcome: "unknown" });
    await world.clock.advance(2000);
    const command = await until(world.get(`/api/commands/${answer?.commandId}`));
    expect(command?.body).toMatchObject({ state: "confirmed", outcome: "confirmed", value: 30 });
    expect(world.stored().events.filter((event) => event.type === "command.completed").length).toBe(1);
  });

  it("whose hub reconnects while it is carried out is asked about, and not carried out twice", async () => {
    world.device(LAMP).fail({ mode: "slow", ms: 1300 });
    const inFlight = put(50, 60);
    await world.clock.advance(500);
    world.hub.connection?.cut();
    const answer = await until(inFlight);
    expect(answer).toMatchObject({ status: 504, outcome: "unknown" });
    await world.calm();
    await world.clock.advance(10_000);
    expect(applied(50)).toBe(1);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ outcome: "confirmed", value: 50 });
  });

  it("that never reached the hub, and has time left, is carried out under its own ID when the hub is back", async () => {
    world.hub.connection?.die();
    const inFlight = put(51, 60);
    expect(await until(inFlight)).toMatchObject({ status: 504, outcome: "unknown" });
    await world.calm();
    await world.clock.advance(2000);
    expect(applied(51)).toBe(1);
    expect(await until(world.command((await inFlight)?.commandId))).toMatchObject({ outcome: "confirmed" });
  });

  it("that a stopped hub finds when its lease is over moves nothing until the cloud asks anew", async () => {
    world.hub.stop();
    expect(await until(put(52, 60))).toMatchObject({ status: 504, outcome: "unknown" });
    world.hub.continue();
    // Less than a new connection takes: all that moves the lamp now is the frame that lay in the stopped hub's socket.
    await world.clock.advance(19);
    expect(applied(52)).toBe(0);
    await world.calm();
  });

  it("is in the store before its caller is answered, also when any process dies at that moment", async () => {
    expect(await until(put(53))).toMatchObject({ status: 200 });
    await world.cloud.kill();
    expect(world.stored().commands.at(-1)).toMatchObject({ value: "53", outcome: "confirmed" });
    await world.cloud.start();
    await world.calm();
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(53);
  });

  it("is in the hub's journal before the hub answers it", async () => {
    const answer = await until(put(54));
    world.hub.kill();
    expect(world.journal(answer?.commandId ?? "")).toMatchObject({ outcome: "confirmed", value: 54 });
    await world.hub.start();
    await world.calm();
  });
});
