/** Presence alone: the shown presence of a hub is true, and of two hubs with one identity only the newer counts. */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await World.start({ seed: 1 });
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);

/** Asks again and again, for at most 40 s. */
async function untilNotOnline() {
  const end = world.clock.monotonic() + 40_000;
  while ((await until(world.hubState())) === "online" && world.clock.monotonic() < end) await world.clock.advance(250);
}

/** A second hub on a copy of the first one's data, not started yet. */
async function startCopy(plugs?: "no lines") {
  world.hub.kill();
  world.keep("agent", "copy");
  await world.hub.start();
  await world.calm();
  return world.anotherHub(join(world.folder, "copy"), plugs);
}

describe("presence", () => {
  it("shows a silently cut hub offline within 20 s, and never before its lease ends", async () => {
    await world.clock.advance(3000);
    world.hub.isolate();
    const cut = world.clock.monotonic();
    await untilNotOnline();
    const after = world.clock.monotonic() - cut;
    expect(after).toBeGreaterThan(9_000);
    expect(after).toBeLessThanOrEqual(20_000);
  });

  it("shows a stopped hub online as long as its lease, and offline within 20 s", async () => {
    world.hub.stop();
    const stopped = world.clock.monotonic();
    await untilNotOnline();
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
  it("are distinguished: the newest wins at once, the first waits and touches nothing", async () => {
    const second = await startCopy();
    await second.start();
    await world.clock.advance(3000);
    expect(world.hub.agent.status().tunnel).toMatchObject({ state: "waiting", reason: "superseded" });
    expect(second.agent.status().tunnel).toMatchObject({ state: "online" });
    expect(await until(world.hubState())).toBe("online");
    await world.clock.advance(40_000);
    expect(world.hub.agent.status().tunnel).toMatchObject({ state: "waiting", reason: "superseded" });
    second.kill();
  });

  it("are distinguished before the older one sends anything more", async () => {
    const second = await startCopy("no lines");
    await second.start();
    while (second.agent.status().tunnel.state !== "online") await world.clock.advance(5);
    await world.clock.advance(100);
    expect(world.hub.agent.status().tunnel).toMatchObject({ state: "waiting", reason: "superseded" });
    second.kill();
  });
});
