/** Each guarantee of the tunnel and each sentence of the journey alone, on the virtual clock, with the published lengths. */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BUTTON, LAMP, SWITCH } from "./chaos.ts";
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
  it("reaches the lamp and comes back with what the lamp says", async () => {
    expect(await until(put(120))).toMatchObject({ status: 200, value: 120 });
    expect(world.device(LAMP).read("LightColor.hue")).toBe(120);
    expect(await until(world.cached(LAMP, "LightColor.hue"))).toBe(120);
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

  it("that the hub hears of after the caller's 504 moves nothing", async () => {
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
});

describe("presence", () => {
  it("shows a silently cut hub offline within 20 s, and never before its lease ends", async () => {
    await world.clock.advance(3000);
    world.hub.isolate();
    const cut = world.clock.monotonic();
    while ((await until(world.hubState())) === "online") await world.clock.advance(250);
    const after = world.clock.monotonic() - cut;
    expect(after).toBeGreaterThan(9_000);
    expect(after).toBeLessThanOrEqual(20_000);
  });

  it("shows a stopped hub online as long as its lease, and offline within 20 s", async () => {
    world.hub.stop();
    const stopped = world.clock.monotonic();
    while ((await until(world.hubState())) === "online") await world.clock.advance(250);
    expect(world.clock.monotonic() - stopped).toBeGreaterThan(9_000);
    expect(world.clock.monotonic() - stopped).toBeLessThanOrEqual(20_000);
    world.hub.continue();
    await world.calm();
  });

  it("makes no event of a break shorter than 10 s, and one pair of a longer one", async () => {
    const hubEvents = () =>
      world
        .stored()
        .events.map((event) => event.type)
        .filter((type) => type.startsWith("hub.o"));
    const before = hubEvents().length;
    world.hub.connection?.cut();
    await world.calm();
    await world.clock.advance(30_000);
    expect(hubEvents().length).toBe(before);
    world.hub.kill();
    await world.clock.advance(15_000);
    await world.hub.start();
    await world.calm();
    expect(hubEvents().slice(before)).toEqual(["hub.offline", "hub.online"]);
  });

  it("calls no hub offline in the first minute after a restart of the cloud", async () => {
    await world.cloud.kill();
    world.hub.kill();
    await world.cloud.start();
    expect(await until(world.hubState())).toBe("unknown");
    await world.clock.advance(55_000);
    expect(world.stored().events.filter((event) => event.type === "hub.offline").length).toBe(0);
    await world.clock.advance(10_000);
    expect(world.stored().events.filter((event) => event.type === "hub.offline").length).toBe(1);
    expect(await until(world.hubState())).toBe("offline");
    await world.hub.start();
    await world.calm();
  });
});

describe("two hubs with one identity", () => {
  it("are told apart: the newest wins at once, the first waits and touches nothing", async () => {
    const copy = join(world.folder, "copy");
    mkdirSync(copy);
    world.hub.kill();
    cpSync(join(world.folder, "agent"), join(copy, "agent"), { recursive: true });
    await world.hub.start();
    await world.calm();
    const second = world.anotherHub(copy);
    await second.start();
    await world.clock.advance(3000);
    expect(world.hub.agent.status().tunnel).toMatchObject({ state: "waiting", reason: "superseded" });
    expect(second.agent.status().tunnel).toMatchObject({ state: "online" });
    expect(await until(world.hubState())).toBe("online");
    await world.clock.advance(40_000);
    expect(world.hub.agent.status().tunnel).toMatchObject({ state: "waiting", reason: "superseded" });
    second.kill();
  });
});

describe("the history of a hub", () => {
  it("loses nothing and doubles nothing of what happened while the hub had no cloud", async () => {
    await world.cloud.kill();
    for (const event of ["press", "release", "double", "long", "press", "long"]) {
      world.device(BUTTON).press("Button.event", event);
      await world.clock.advance(1000);
    }
    world.device(LAMP).turn("LightColor.hue", 77);
    await world.clock.advance(60_000);
    await world.cloud.start();
    await world.calm();
    const pressed = world
      .stored()
      .events.filter((event) => event.type === "property.changed")
      .map((event) => JSON.parse(event.data).item)
      .filter((item) => item.service === "Button")
      .map((item) => item.value);
    expect(pressed).toEqual(["press", "release", "double", "long", "press", "long"]);
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
});

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

  it("on which a device never answers delays nobody else", async () => {
    world.device(LAMP).fail({ mode: "silent" });
    const stuck = put(42);
    const before = world.clock.monotonic();
    expect(await until(world.put(SWITCH, "Switch:0.on", false))).toMatchObject({ status: 200 });
    expect(world.clock.monotonic() - before).toBeLessThan(500);
    expect(await until(stuck)).toMatchObject({ status: 502, outcome: "unknown" });
    world.device(LAMP).fail({ mode: "none" });
  });
});
