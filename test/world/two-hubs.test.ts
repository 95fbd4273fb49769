/** Two hubs of one home that see the same device of the network: it belongs to one of them, and changes hands only when it is let go. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HubOfWorld } from "./hub.ts";
import { HUB, NEIGHBOUR, World } from "./world.ts";

const THIRD = "02-50-4C-00-00-03";
const DEVICE = "02-50-4C-53-00-01";

let world: World;
let second: HubOfWorld;
let secondId: string;
beforeEach(async () => {
  world = await World.start({ seed: 1, lan: true });
  const { hub, clientId } = await until(world.neighbour());
  [second, secondId] = [hub, clientId];
});
afterEach(() => world[Symbol.asyncDispose]());

const until = <T>(promise: Promise<T>) => world.clock.until(promise);
const put = (value: number) => until(world.put(DEVICE, "LightColor.hue", value));
const owner = async () => (await until(world.get(`/api/devices/${world.deviceId(DEVICE)}`)))?.body;
const linesOpenedBy = (hub: string) => world.lan?.opened.filter((line) => line.startsWith(hub)).length ?? 0;
const claims = () => world.stored().events.filter((event) => event.type === "device.claimed");

/** Lets time pass until the device is the hub's, for at most so long. */
async function untilOwned(clientId: string, limitMs: number): Promise<number> {
  const from = world.clock.monotonic();
  while (world.clock.monotonic() - from < limitMs) {
    const { clientId: now, connection } = await owner();
    if (now === clientId && connection.state === "online") break;
    await world.clock.advance(500);
  }
  expect(await owner()).toMatchObject({ clientId, connection: { state: "online" } });
  return world.clock.monotonic() - from;
}

describe("a device of the network that two hubs see", () => {
  it("stays the first one's: the second never opens a line to it, and the owner is notified once", async () => {
    await second.start();
    await world.clock.advance(120_000);
    expect(linesOpenedBy(NEIGHBOUR)).toBe(0);
    expect(await put(120)).toMatchObject({ status: 200, value: 120 });
    expect(linesOpenedBy(HUB)).toBe(1);
    expect(await owner()).toMatchObject({ clientId: world.clientId });
    expect(claims().map(({ data }) => JSON.parse(data))).toMatchObject([{ claimedBy: { clientId: secondId } }]);
  });

  it("is taken by the second, under its ID, when the first reports it offline, and is not taken back", async () => {
    await second.start();
    await world.clock.advance(10_000);
    const before = await owner();
    world.lan?.cutOff(HUB);
    await untilOwned(secondId, 60_000);
    expect((await owner()).id).toBe(before.id);
    expect(await put(77)).toMatchObject({ status: 200, value: 77 });
    world.lan?.mend(HUB);
    const opened = linesOpenedBy(HUB);
    await world.clock.advance(300_000);
    expect(linesOpenedBy(HUB)).toBe(opened);
    expect(await owner()).toMatchObject({ clientId: secondId, connection: { state: "online" } });
  });

  it("is taken by the second when the first has been dead for 60 s, and not before", async () => {
    await second.start();
    await world.clock.advance(10_000);
    world.hub.kill();
    await world.clock.advance(60_000);
    expect(linesOpenedBy(NEIGHBOUR)).toBe(0);
    expect(await untilOwned(secondId, 60_000)).toBeGreaterThan(0);
    expect(await put(78)).toMatchObject({ status: 200, value: 78 });
    await world.hub.start();
    await world.clock.advance(60_000);
    expect(await owner()).toMatchObject({ clientId: secondId, connection: { state: "online" } });
    expect(linesOpenedBy(HUB)).toBe(1);
  });

  it("is released to the second, step by step, by a first that lives without its cloud, and at once when it has it again", async () => {
    await second.start();
    await world.clock.advance(10_000);
    world.hub.isolate();
    await world.clock.advance(90_000);
    await untilOwned(secondId, 60_000);
    await world.clock.advance(600_000);
    const opened = linesOpenedBy(HUB);
    await world.clock.advance(3_600_000);
    // Without a cloud it cannot know whose the device is now; it looks ever more rarely.
    expect(linesOpenedBy(HUB) - opened).toBeLessThan(20);
    world.hub.rejoin();
    await world.clock.advance(120_000);
    const rejoined = linesOpenedBy(HUB);
    await world.clock.advance(900_000);
    expect(linesOpenedBy(HUB)).toBe(rejoined);
    expect(await owner()).toMatchObject({ clientId: secondId, connection: { state: "online" } });
    expect(await put(79)).toMatchObject({ status: 200, value: 79 });
  });

  it("is taken by one of the two when both see it for the first time at once, and stays there", async () => {
    world.hub.kill();
    await until(world.delete(`/api/clients/${world.clientId}`));
    const third = (await until(world.neighbour(THIRD))).hub;
    await Promise.all([second, third].map((hub) => hub.start()));
    await world.clock.advance(120_000);
    const opened = world.lan?.opened.length;
    await world.clock.advance(600_000);
    expect(world.lan?.opened.length).toBe(opened);
    const devices = (await until(world.get("/api/devices")))?.body.items;
    const found = devices.filter(({ edgeId }: { edgeId: string }) => edgeId === DEVICE);
    expect(found).toMatchObject([{ connection: { state: "online" } }]);
    const url = `/api/devices/${found[0].id}/services/LightColor.hue`;
    expect(await until(world.get(`${url}?refresh=true`))).toMatchObject({ status: 200, body: { items: [{}] } });
  });
});
