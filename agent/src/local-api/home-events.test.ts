/** The events of the stream at home: every change of a property and of a device, with its cause, and nothing twice. */
import { describe, expect, test } from "vitest";
import { device, LAMP, level, on, pressed } from "../state/state.fixture.ts";
import { AtHome, ENVIRONMENT, LAMP_ID } from "./at-home.fixture.ts";

const item = (property: string, value: unknown) =>
  expect.objectContaining({ ecosystemId: "eco_1", id: ENVIRONMENT, deviceId: LAMP_ID, property, value });

describe("a property that changes", () => {
  test("is sent with the whole item, the value before, and its place in the hub's own order", async () => {
    using home = await AtHome.make();
    await home.disk.report(home.state, level(3));
    const stream = await home.follow();
    await home.disk.report(home.state, level(7));
    const [events] = await stream.newEvents();
    const { newest } = home.state.home.log.range;
    expect(events).toEqual({
      id: newest,
      event: "property.changed",
      data: {
        id: expect.stringMatching(/^evt_[0-7][0-9a-z]{25}$/),
        sequence: newest,
        type: "property.changed",
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/),
        ecosystemId: "eco_1",
        environmentId: ENVIRONMENT,
        data: { item: item("level", 7), previousValue: 3, cause: { kind: "device" } },
      },
    });
  });

  test("is sent with its cause: the device itself, a read, a caller at home, or a command of the cloud", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await home.disk.report(home.state, level(1));
    home.driver.values.set(`${LAMP} level`, 2);
    await home.clock.until(home.refresh());
    await home.clock.until(home.set(3));
    await home.disk.done(home.state.begin({ id: "cmd_1", ...level(4) }));
    const end = { command: "cmd_1", ...level(4), requested: 4, outcome: "confirmed" as const, observedAt: 0 };
    await home.disk.done(home.state.end(end));
    const causes = (await stream.newEvents()).map(({ data }) => [data.data.item.value, data.data.cause]);
    expect(causes).toEqual([
      [1, { kind: "device" }],
      [2, { kind: "refresh" }],
      [3, { kind: "local" }],
      [4, { kind: "command", commandId: "cmd_1" }],
    ]);
  });

  test("is no event when it is repeated, however often; a button's every press is", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    for (const seen of [on(true), on(true), pressed(), pressed()]) {
      await home.disk.report(home.state, seen);
      await home.clock.advance(61_000);
    }
    await home.clock.until(home.set(5));
    await home.clock.until(home.set(5));
    await home.disk.done(home.state.resync());
    const events = await stream.newEvents();
    expect(events.map(({ data }) => [data.data.item.value, data.data.previousValue])).toEqual([
      [true, undefined],
      ["press", undefined],
      ["press", undefined],
      [5, undefined],
    ]);
  });

  test("of a device that the cloud has not named is not sent, nor one that the device does not have", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await home.disk.done(home.state.arrive(device("00-00-00-00-00-09")));
    await home.disk.report(home.state, level(1, "00-00-00-00-00-09"));
    await home.disk.report(home.state, { ...level(1), property: "weight" });
    expect(await stream.newEvents()).toEqual([]);
  });

  test("in a transaction that the disk refused is sent once it is written, and takes one number", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    home.refuseCommits = 1;
    await home.disk.report(home.state, level(1));
    await home.disk.report(home.state, level(2));
    expect(await stream.short()).toEqual(["level 1", "level 2"]);
    const { newest } = home.state.home.log.range;
    home.refuseCommits = 2;
    await expect(home.disk.report(home.state, level(3))).rejects.toThrow("no room");
    expect([await stream.short(), home.state.home.log.range.newest]).toEqual([[], newest]);
  });
});

describe("a device", () => {
  test("is added when the cloud has named it, with all that it has reported until then", async () => {
    using home = await AtHome.make();
    const other = "00-00-00-00-00-09";
    await home.disk.done(home.state.arrive(device(other)));
    await home.disk.report(home.state, level(8, other));
    await home.disk.report(home.state, pressed("press", other));
    const stream = await home.follow();
    await home.name("dev_01kad2vqz0fv8t7vqh5v8q5x5s", "attic", other);
    const events = await stream.newEvents();
    expect(events).toMatchObject([
      {
        event: "device.added",
        data: { data: { alias: "attic", type: "physical", edgeId: other, connection: { state: "online" } } },
      },
      { event: "property.changed", data: { data: { item: { property: "level", value: 8 } } } },
    ]);
  });

  test("is added also when the cloud had named it before the hub had it", async () => {
    using home = await AtHome.make();
    const other = "00-00-00-00-00-09";
    await home.name("dev_01kad2vqz0fv8t7vqh5v8q5x5s", "attic", other);
    const stream = await home.follow();
    await home.disk.done(home.state.arrive(device(other)));
    await home.disk.report(home.state, level(8, other));
    expect(await stream.short()).toEqual(["device.added", "level 8"]);
  });

  test("is updated when the cloud calls it something else, and when it says something else of itself", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await home.name(LAMP_ID, "ceiling");
    await home.disk.done(home.state.arrive({ ...device(), about: { manufacturer: "Apex" } }));
    const events = await stream.newEvents();
    expect(events).toMatchObject([
      { event: "device.updated", data: { data: { alias: "ceiling", meta: { "$.manufacturer": "Acme" } } } },
      { event: "device.updated", data: { data: { alias: "ceiling", meta: { "$.manufacturer": "Apex" } } } },
    ]);
  });

  test("is sent as the API shows it", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await home.name(LAMP_ID, "ceiling");
    const [events] = await stream.newEvents();
    expect(events?.data.data).toEqual((await home.call("GET", "/api/devices/:id")).body);
  });

  test("is removed when the cloud knows it no more, as it was, and is another when it comes back by another ID", async () => {
    using home = await AtHome.make();
    await home.disk.report(home.state, level(8));
    const stream = await home.follow();
    await home.name("dev_01kad2vqz0fv8t7vqh5v8q5x5s");
    const events = (await stream.newEvents()).map(({ event, data }) => [
      event,
      data.data.id ?? data.data.item.deviceId,
    ]);
    expect(events).toEqual([
      ["device.removed", LAMP_ID],
      ["device.added", "dev_01kad2vqz0fv8t7vqh5v8q5x5s"],
      ["property.changed", "dev_01kad2vqz0fv8t7vqh5v8q5x5s"],
    ]);
  });

  test("is offline once it has left its link, and online when it is back", async () => {
    using home = await AtHome.make();
    const stream = await home.follow();
    await home.disk.done(home.state.leave(LAMP));
    await home.disk.done(home.state.leave(LAMP));
    await home.disk.done(home.state.arrive(device()));
    const events = (await stream.newEvents()).map(({ event, data }) => [event, data.data.connection.state]);
    expect(events).toEqual([
      ["device.offline", "offline"],
      ["device.online", "online"],
    ]);
  });

  test("that was there before the agent's start and is there after it has never been away", async () => {
    using home = await AtHome.make();
    const { newest } = home.state.home.log.range;
    home.crash();
    const stream = await home.follow(newest);
    await home.name(LAMP_ID, "ceiling");
    await home.disk.done(home.state.arrive(device()));
    await home.name(LAMP_ID, "lamp");
    const events = (await stream.newEvents()).map(({ event, data }) => [event, data.data.connection.state]);
    // What was online when the agent last ran may be there, until that is known.
    expect(events).toEqual([
      ["device.updated", "unknown"],
      ["device.updated", "online"],
    ]);
  });
});
