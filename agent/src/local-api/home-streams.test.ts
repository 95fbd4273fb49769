/** How a stream at home is begun, resumed and ended: without a gap or a repeat, over restarts, and never at the hub's expense. */
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { forgetSent } from "../state/index.ts";
import { device, LAMP, level, on } from "../state/state.fixture.ts";
import { AtHome, ENVIRONMENT, LAMP_ID } from "./at-home.fixture.ts";
import { turns } from "./following.fixture.ts";

const named = (name: string, more = {}) => expect.objectContaining({ name, ...more });
const newest = (home: AtHome) => home.state.home.log.range.newest;
const tellLevels = async (home: AtHome, ...values: readonly number[]) => {
  for (const value of values) await home.disk.report(home.state, level(value));
};

describe("a stream at home", () => {
  test("that resumes gets all that it missed, in order, without a gap or a repeat, and then goes on", async () => {
    using home = await AtHome.make();
    const before = newest(home);
    await tellLevels(home, 1, 2, 3);
    const all = await home.follow(before);
    const byParameter = await home.follow(undefined, { lastEventId: String(before + 2) });
    await tellLevels(home, 4);
    expect((await all.newEvents()).map(({ id }) => id)).toEqual([1, 2, 3, 4].map((n) => before + n));
    expect((await byParameter.newEvents()).map(({ id }) => id)).toEqual([before + 3, before + 4]);
  });

  test("is resumed over a crash of the agent without a gap: an event is stored as surely as its change", async () => {
    using home = await AtHome.make();
    const before = newest(home);
    await tellLevels(home, 1, 2);
    home.crash();
    await tellLevels(home, 3);
    home.crash();
    const stream = await home.follow(before);
    expect(await stream.newEvents()).toMatchObject([{ id: before + 1 }, { id: before + 2 }, { id: before + 3 }]);
  });

  test("of more events than are read at once is whole, also when few of them are asked for", async () => {
    using home = await AtHome.make();
    const before = newest(home);
    await tellLevels(home, ...Array.from({ length: 1300 }, (_, n) => n));
    await home.disk.report(home.state, on(true));
    const all = await home.follow(before);
    await home.disk.done(home.state.leave(LAMP));
    const few = await home.follow(before, { types: "zone.*,device.*" });
    await turns(200);
    expect((await all.newEvents()).map(({ id }) => id)).toEqual(Array.from({ length: 1302 }, (_, n) => before + 1 + n));
    expect(await few.short()).toEqual(["device.offline"]);
  });

  test("begins with all that is known, if it is asked to, and where that stands", async () => {
    using home = await AtHome.make();
    await tellLevels(home, 1, 2);
    await home.disk.report(home.state, on(true));
    const stream = await home.follow(undefined, { snapshot: "true" });
    await tellLevels(home, 3);
    const [first, second] = await stream.newEvents();
    expect(first).toMatchObject({ id: newest(home) - 1, event: "snapshot", data: { sequence: newest(home) - 1 } });
    const items = (await home.call("GET", "/api/environments/:id/services/:selector", {
      id: ENVIRONMENT,
      selector: "Switch.on",
    })) as { body: { items: object[] } };
    expect(first?.data.items).toHaveLength(2);
    expect(first?.data.items).toEqual(expect.arrayContaining(items.body.items));
    expect(second).toMatchObject({ id: newest(home), data: { data: { previousValue: 2 } } });
  });

  test("that resumes with a snapshot misses nothing all the same", async () => {
    using home = await AtHome.make();
    const before = newest(home);
    await tellLevels(home, 1);
    const stream = await home.follow(before, { snapshot: "true" });
    expect(await stream.newEvents()).toMatchObject([
      { id: before, event: "snapshot", data: { sequence: before + 1 } },
      { id: before + 1 },
    ]);
  });

  test("begins with its position, and repeats it in its comments while no event matches", async () => {
    using home = await AtHome.make();
    const stream = await home.follow(undefined, { types: "zone.*" });
    const began = newest(home);
    await tellLevels(home, 1);
    await home.clock.advance(5_000);
    await turns();
    expect(stream.positions).toEqual([began, began + 1]);
    const lost = await home.follow(newest(home) + 1);
    expect(lost.positions).toEqual([undefined]);
    expect(await lost.newEvents()).toMatchObject([{ id: newest(home), event: "reset" }]);
  });

  test("gets a comment every 5 s, and a hub without streams has no timer for it", async () => {
    using home = await AtHome.make();
    const idle = home.clock.pending();
    const stream = await home.follow();
    await home.clock.advance(45_000);
    await turns();
    expect(stream.positions).toHaveLength(10);
    stream.stream.destroy();
    await turns();
    expect(home.clock.pending()).toEqual(idle);
  });

  test.each([
    [{ types: "device.gone" }, "Query Parameter Invalid"],
    [{ types: "" }, "Query Parameter Invalid"],
    [{ snapshot: "yes" }, "Query Parameter Invalid"],
    [{ lastEventId: "-1" }, "Query Parameter Invalid"],
    [{ lastEventId: "99999999999999999" }, "Query Parameter Invalid"],
    [{ environmentId: "env_01kad2vqz0fv8t7vqh5v8q5x5s" }, "Environment Invalid"],
    [{ environmentId: "eco_1;cellar" }, "Environment Invalid"],
    [{ ecosystemId: "eco_01kad2vqz0fv8t7vqh5v8q5x5r" }, "Ecosystem Invalid"],
  ])("asked for with %j is refused before it begins", async (query, name) => {
    using home = await AtHome.make();
    await expect(home.follow(undefined, query)).rejects.toEqual(named(name));
  });

  test("takes the environment and the ecosystem of the home, as a program says them in the cloud", async () => {
    using home = await AtHome.make();
    const stream = await home.follow(undefined, { environmentId: ENVIRONMENT, ecosystemId: "eco_1" });
    await tellLevels(home, 1);
    expect(await stream.short()).toEqual(["level 1"]);
  });
});

describe("a reset", () => {
  test("says that what was missed is no longer kept, and the stream goes on from now", async () => {
    using home = await AtHome.make();
    home.eventBytes = 20_000;
    home.crash();
    const before = newest(home);
    await tellLevels(home, ...Array.from({ length: 100 }, (_, n) => n));
    const { oldest } = home.state.home.log.range;
    expect(oldest).toBeGreaterThan(before + 2);
    const tooOld = await home.follow(oldest - 2);
    const justKept = await home.follow(oldest - 1);
    await tellLevels(home, 500);
    expect(await tooOld.short()).toEqual(["reset", "level 500"]);
    const events = await justKept.newEvents();
    expect([events[0]?.id, events.length]).toEqual([oldest, newest(home) - oldest + 1]);
  });

  test("is sent to a reader that asks for more than there is, and before the snapshot", async () => {
    using home = await AtHome.make();
    const stream = await home.follow(newest(home) + 1, { snapshot: "true" });
    await tellLevels(home, 1);
    expect(await stream.short()).toEqual(["reset", "snapshot", "level 1"]);
  });

  test("is sent to a reader of another history of the hub, at any sequence, while it follows and after", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    const seen = newest(home);
    await home.disk.done(home.state.renewLog());
    await tellLevels(home, 1);
    expect(await stream.short()).toEqual(["reset", "level 1"]);
    expect((await (await home.follow(seen)).short())[0]).toBe("reset");
    home.crash();
    expect(await (await home.follow(newest(home))).short()).toEqual([]);
  });

  test("comes after the hub was moved to another environment, whose events no other reader gets", async () => {
    using home = await AtHome.make();
    await tellLevels(home, 1);
    const seen = newest(home);
    await home.name(LAMP_ID, "lamp", LAMP, "env_01kad2vqz0fv8t7vqh5v8q5x5s");
    const stream = await home.follow(seen - 1);
    expect(await stream.short()).toEqual(["reset"]);
  });

  test("comes after the hub was restored from a backup, which has the events until then and none after", async () => {
    using home = await AtHome.make();
    await tellLevels(home, 1);
    const seen = newest(home);
    home.state.kill();
    const db = new Database(home.disk.path);
    forgetSent(db);
    db.close();
    home.crash();
    expect(await (await home.follow(seen)).short()).toEqual(["reset"]);
    expect(await (await home.follow(newest(home))).short()).toEqual([]);
  });

  test("comes after the API at home was off for a while, in which changes were not recorded", async () => {
    using home = await AtHome.make();
    const seen = newest(home);
    home.state.kill();
    const off = home.disk.open();
    await home.disk.report(off, level(9));
    expect(off.home.log.range.newest).toBe(0);
    home.state = off;
    home.crash();
    expect(await (await home.follow(seen)).short()).toEqual(["reset"]);
  });
});

describe("a stream at home ends", () => {
  test("within 5 s of the end of its token, with all events until then", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await tellLevels(home, 1);
    await home.state.home.revokeToken("tok_1");
    await home.clock.advance(5_000);
    expect(await stream.short()).toEqual(["level 1"]);
    expect(stream.hasEnded).toBe(true);
  });

  test("when its reader has fallen more than 1 MiB behind, and one beside it gets everything", async () => {
    using home = await AtHome.make();
    const [stalled, eager] = [await home.follow(), await home.follow()];
    stalled.stream.pause();
    const long = "x".repeat(10_000);
    const say = async (count: number) => {
      for (let n = 0; n < count; n += 1)
        await home.disk.report(home.state, { ...level(`${n} ${long}`), property: "level" });
      await turns();
    };
    await say(40);
    expect(stalled.hasEnded).toBe(false);
    await say(40);
    expect([stalled.hasEnded, eager.hasEnded]).toEqual([true, false]);
    expect(await eager.newEvents()).toHaveLength(80);
  });

  test("when its reader takes nothing of what it has missed through some comments", async () => {
    using home = await AtHome.make();
    const before = newest(home);
    const long = "x".repeat(10_000);
    for (let n = 0; n < 40; n += 1) await home.disk.report(home.state, level(`${n} ${long}`));
    const { stream } = await home.call("GET", "/api/events", { query: { lastEventId: String(before) } });
    stream?.read(1);
    await turns();
    expect(stream?.readableLength).toBeLessThan(150_000);
    await home.clock.advance(45_000);
    expect(stream?.destroyed).toBe(false);
    await home.clock.advance(15_000);
    expect(stream?.destroyed).toBe(true);
  });

  test("so that a token has twenty and no more, and one that has gone makes room", async () => {
    using home = await AtHome.make();
    const streams = [];
    for (let n = 0; n < 20; n += 1) streams.push(await home.follow());
    await expect(home.follow()).rejects.toEqual(named("Rate Limit Exceeded", { retryAfter: 5 }));
    streams[0]?.stream.destroy();
    await turns();
    await expect(home.follow()).resolves.toBeDefined();
  });

  test("and its device's going is no end of it", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await home.disk.done(home.state.leave(LAMP));
    await home.disk.done(home.state.arrive(device()));
    expect(await stream.short()).toEqual(["device.offline", "device.online"]);
  });
});
