/** The one history of a hub alone: nothing is lost, doubled or reported in the wrong order, through each crash, cut and restore. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUTTON, LAMP, THERMOSTAT } from "./devices.ts";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const put = (value: number, wait = 10) => world.put(LAMP, "LightColor.hue", value, wait);
/** What the event log has of the button, oldest first. */
const presses = () =>
  world
    .stored()
    .events.filter((event) => event.type === "property.changed")
    .map((event) => JSON.parse(event.data).item)
    .filter((item) => item.service === "Button")
    .map((item) => item.value);

describe("the history of a hub", () => {
  it("loses and doubles no change that was made while the hub had no cloud", async () => {
    await world.cloud.kill();
    for (const event of ["press", "release", "double", "long", "press", "long"]) {
      world.device(BUTTON).press("Button.event", event);
      await world.clock.advance(1000);
    }
    world.device(LAMP).turn("LightColor.hue", 77);
    await world.clock.advance(60_000);
    await world.cloud.start();
    await world.calm();
    expect(presses()).toEqual(["press", "release", "double", "long", "press", "long"]);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(77);
  });

  it("lets the newer value stand when an old report is resent after a break", async () => {
    // The report is sent, its acknowledgement never comes: the hub will send it again after the PUT's newer value.
    world.device(LAMP).turn("LightColor.hue", 5);
    await world.clock.advance(70);
    world.hub.connection?.stall();
    await world.clock.advance(300);
    world.hub.connection?.release();
    expect(await until(put(200))).toMatchObject({ status: 200 });
    world.hub.connection?.cut();
    await world.calm();
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(200);
    const hues = world
      .stored()
      .events.filter((event) => event.data.includes('"property":"hue"') && event.type === "property.changed");
    expect(JSON.parse(hues.at(-1)?.data ?? "{}").item.value).toBe(200);
  });

  it("has each press once, also when the hub dies as soon as it has acknowledged it to the button", async () => {
    const pressed = ["press", "release", "double"];
    for (const event of pressed) {
      world.device(BUTTON).press("Button.event", event);
      while (world.unreported(BUTTON) > 0) await world.clock.advance(1);
      world.hub.kill();
      await world.hub.start();
      await world.calm();
    }
    expect(presses()).toEqual(pressed);
  });

  it("has each press once, also when the cloud dies as soon as it has acknowledged it to the hub", async () => {
    const pressed = ["press", "release", "double"];
    for (const event of pressed) {
      world.device(BUTTON).press("Button.event", event);
      while (world.unreported(BUTTON) > 0) await world.clock.advance(1);
      while (world.hub.agent.status().queue.records > 0) await world.clock.advance(1);
      await world.cloud.kill();
      await world.cloud.start();
      await world.calm();
    }
    expect(presses()).toEqual(pressed);
  });

  it("goes on when an older copy of the hub's database is restored: as a new one, which hides nothing", async () => {
    world.hub.kill();
    world.keep("agent", "backup");
    await world.hub.start();
    await world.calm();
    // More than a start makes, so that the cloud has received numbers that the restored hub would give out anew.
    for (let turn = 0; turn < 100; turn++) {
      world.device(LAMP).turn("LightColor.hue", 100 + turn);
      await world.clock.advance(100);
    }
    expect(await until(put(63))).toMatchObject({ status: 200 });
    await world.clock.advance(2000);
    world.hub.kill();
    world.restore("agent", "backup");
    await world.hub.start();
    await world.calm();
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(63);
    world.device(BUTTON).press("Button.event", "long");
    world.device(LAMP).turn("LightColor.hue", 64);
    await world.calm();
    await world.clock.advance(2000);
    expect(presses()).toEqual(["long"]);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(64);
  });

  it("ends commands of the old hub as unknown, once, when a new one begins", async () => {
    world.hub.kill();
    world.keep("agent", "backup");
    await world.hub.start();
    await world.calm();
    for (const value of [65, 66]) expect(await until(put(value))).toMatchObject({ status: 200 });
    await world.clock.advance(2000);
    world.device(LAMP).fail({ mode: "silent" });
    const inFlight = put(67, 60);
    await world.clock.advance(300);
    world.hub.kill();
    const answer = await until(inFlight);
    world.device(LAMP).fail({ mode: "none" });
    world.restore("agent", "backup");
    await world.hub.start();
    await world.calm();
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "failed", outcome: "unknown" });
    expect(world.stored().events.filter((event) => event.type === "command.completed").length).toBe(1);
  });

  it("is reported again to a cloud that was restored from a backup", async () => {
    await world.cloud.kill();
    world.keep("cloud", "backup");
    await world.cloud.start();
    await world.calm();
    world.device(LAMP).turn("LightColor.hue", 68);
    world.device(THERMOSTAT).turn("Thermostat.target", 27);
    await world.clock.advance(1000);
    await world.calm();
    await world.cloud.kill();
    world.restore("cloud", "backup");
    await world.cloud.start();
    await world.calm();
    await world.clock.advance(2000);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(68);
    expect(await until(world.cached(THERMOSTAT, "Thermostat.target"))).toBe(27);
  });

  it("has the value that an interrupted write left at the device", async () => {
    expect(await until(put(69))).toMatchObject({ status: 200 });
    // The lamp carries it out, and its answer is lost.
    world.device(LAMP).fail({ mode: "mute" });
    const inFlight = put(70, 30);
    while (world.device(LAMP).read("LightColor.hue") !== 70) await world.clock.advance(1);
    world.hub.kill();
    const answer = await until(inFlight);
    expect(answer).toMatchObject({ status: 504, outcome: "unknown" });
    world.device(LAMP).fail({ mode: "none" });
    await world.hub.start();
    await world.calm();
    await world.clock.advance(2000);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(70);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "failed", outcome: "unknown" });
  });
});

describe("the history of a hub whose records a disk refuses", () => {
  /** Presses, each in a batch of its own, that reach the cloud in one moment. */
  async function pressTogether(pressed: readonly string[]) {
    world.hub.connection?.stall();
    for (const event of pressed) {
      world.device(BUTTON).press("Button.event", event);
      await world.clock.advance(200);
    }
  }

  it("has each press once and in order when the cloud's disk refuses one batch and takes those behind it", async () => {
    const pressed = ["press", "release", "double", "long"];
    await pressTogether(pressed);
    // The first job, in the transaction of all of them and then alone: the jobs behind it would leave a gap.
    world.cloud.disk.refuseNext(2);
    world.hub.connection?.release();
    await world.clock.advance(100);
    expect(world.cloud.disk.refusals).toBe(2);
    await world.calm();
    expect(presses()).toEqual(pressed);
  });

  it("has each press once and in order when the cloud's disk refuses the commit of them all", async () => {
    const pressed = ["press", "release", "double", "long"];
    await pressTogether(pressed);
    world.cloud.disk.refuse(1);
    world.hub.connection?.release();
    await world.clock.advance(3000);
    expect(world.cloud.disk.refusals).toBeGreaterThan(0);
    expect(presses()).toEqual([]);
    await world.calm();
    expect(presses()).toEqual(pressed);
  });

  it("has each press once and in order when the hub's disk refuses them: the button keeps them and sends them again", async () => {
    const pressed = ["press", "release", "double"];
    world.hub.disk.refuse(1);
    for (const event of pressed) world.device(BUTTON).press("Button.event", event);
    await world.clock.advance(3000);
    expect(world.hub.disk.refusals).toBeGreaterThan(0);
    expect(world.unreported(BUTTON)).toBe(pressed.length);
    await world.calm();
    expect(presses()).toEqual(pressed);
  });

  it("has the result of a command that the hub's disk refused, as soon as the disk can be written", async () => {
    world.device(LAMP).fail({ mode: "slow", ms: 500 });
    const inFlight = put(80, 20);
    await world.clock.advance(300);
    world.hub.disk.refuse(1);
    const answer = await until(inFlight);
    expect(answer).toMatchObject({ status: 504, outcome: "unknown" });
    await world.clock.advance(3000);
    await world.calm();
    await world.clock.advance(3000);
    expect(world.device(LAMP).writes.filter((write) => write.value === 80).length).toBe(1);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(80);
    expect(await until(world.command(answer?.commandId))).toMatchObject({ state: "confirmed", value: 80 });
  });

  it("begins no command that the hub's disk will not enter into the journal", async () => {
    world.hub.disk.refuse(1);
    expect(await until(put(81))).toMatchObject({ status: 502, outcome: "not_applied" });
    await world.calm();
    expect(world.device(LAMP).writes.filter((write) => write.value === 81)).toEqual([]);
  });
});

describe("a refresh", () => {
  it("holds only read values: a device without an answer is a failure and no item", async () => {
    world.device(LAMP).fail({ mode: "silent" });
    world.device(LAMP).turn("LightColor.hue", 71);
    const answer = await until(world.get(`/api/devices/${world.deviceId(LAMP)}/services/LightColor.hue?refresh=true`));
    expect(answer).toMatchObject({ status: 502 });
    world.device(LAMP).fail({ mode: "none" });
    const good = await until(world.get(`/api/devices/${world.deviceId(LAMP)}/services/LightColor.hue?refresh=true`));
    expect(good?.body.items).toMatchObject([{ value: 71 }]);
  });
});
