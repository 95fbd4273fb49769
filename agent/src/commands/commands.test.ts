import { settle, silentLog } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import type { State } from "../state/index.ts";
import { BUTTON, Disk, device, LAMP, level, on, told } from "../state/state.fixture.ts";
import { Commands, type CommandsDeps, type Leave } from "./commands.ts";
import { ScriptedDriver } from "./scripted-driver.fixture.ts";

/** One life of a hub on a disk: its commands, its state, and a driver with two live devices. */
function life(
  disk: Disk,
  limits?: CommandsDeps["limits"],
  change: (state: State) => CommandsDeps["state"] = (state) => state,
) {
  const state = disk.open();
  const driver = new ScriptedDriver();
  driver.live.add(LAMP).add(BUTTON);
  const { clock } = disk;
  const driverOf = (edgeId: string) => (driver.has(edgeId) ? driver : undefined);
  const commands = new Commands({ clock, log: silentLog, state: change(state), driverOf, limits });
  const leave = (change: Partial<Leave> = {}): Leave => ({
    deadline: clock.monotonic() + 10_000,
    mayTouch: () => true,
    ...change,
  });
  const set = (id: string, value: Value, change: Partial<Leave> = {}) =>
    commands.command({ id, ...on(value) }, leave(change));
  return { state, driver, commands, leave, set, clock };
}

const LATE = { outcome: "not_applied", n: 0 };

describe("a command", () => {
  test("is confirmed with what the device says it now is, under the number of its record", async () => {
    using disk = new Disk();
    const { driver, set, state } = life(disk);
    driver.next.push({ kind: "value", value: false });
    const answer = await set("cmd_1", true);
    expect(answer).toMatchObject({
      kind: "result",
      command: "cmd_1",
      n: 1,
      requested: true,
      outcome: "confirmed",
      value: false,
    });
    expect(told(state)).toEqual([answer]);
  });

  test("is in the journal, on disk, before the device is touched", async () => {
    using disk = new Disk();
    const hub = life(disk);
    hub.driver.hold();
    const answer = hub.set("cmd_1", true);
    await settle();
    expect(hub.driver.touches).toHaveLength(1);
    hub.state.kill();
    hub.driver.release();
    await expect(answer).rejects.toThrow("closed");

    const again = life(disk);
    expect(await again.set("cmd_1", true)).toMatchObject({ outcome: "unknown", n: 1 });
    expect(again.driver.touches).toEqual([]);
  });

  test("that was killed before its journal entry was on disk is carried out when it is sent again", async () => {
    using disk = new Disk();
    const hub = life(disk, undefined, (state) => ({
      entry: (id) => state.entry(id),
      end: (end) => state.end(end),
      learn: (observed, cause) => state.learn(observed, cause),
      begin: (request) => {
        const begun = state.begin(request);
        state.kill();
        return begun;
      },
    }));
    const answer = hub.set("cmd_1", true);
    expect(await answer).toMatchObject(LATE);
    expect(hub.driver.touches).toEqual([]);
    const again = life(disk);
    expect(await again.set("cmd_1", true)).toMatchObject({ outcome: "confirmed" });
    expect(again.driver.touches).toHaveLength(1);
  });

  test("that is repeated is answered from the journal, also after a crash, and moves nothing", async () => {
    using disk = new Disk();
    const hub = life(disk);
    const first = await hub.set("cmd_1", true);
    expect(await hub.set("cmd_1", true)).toEqual(first);
    hub.state.kill();
    const again = life(disk);
    expect(await again.set("cmd_1", true, { deadline: -1 })).toEqual(first);
    expect([hub.driver.touches.length, again.driver.touches.length]).toEqual([1, 0]);
  });

  test("that is repeated while it is carried out waits for the one end", async () => {
    using disk = new Disk();
    const { driver, set } = life(disk);
    driver.hold();
    const answers = Promise.all([set("cmd_1", true), set("cmd_1", true)]);
    await settle();
    driver.release();
    const [first, second] = await answers;
    expect(second).toEqual(first);
    expect(driver.touches).toHaveLength(1);
  });

  test.each([
    ["rejected", { kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "too bright", code: 8 }],
    ["not_applied", { kind: "failed", name: "Device Unreachable", outcome: "not_applied", detail: "busy", code: 9 }],
    ["unknown", { kind: "failed", name: "Device Unreachable", outcome: "unknown", detail: "silence" }],
  ] as const)("that the driver ends as %s is told so, in the journal too", async (outcome, result) => {
    using disk = new Disk();
    const { driver, set, state } = life(disk);
    driver.next.push(result);
    const answer = await set("cmd_1", true);
    const { kind: _, outcome: __, ...failure } = result;
    expect(answer).toMatchObject({ outcome, failure, n: 1 });
    expect(state.entry("cmd_1")).toEqual({ kind: "ended", result: answer });
  });

  test("whose driver throws is unknown", async () => {
    using disk = new Disk();
    const { driver, set } = life(disk);
    driver.next.push(new Error("bug"));
    expect(await set("cmd_1", true)).toMatchObject({ outcome: "unknown", failure: { name: "Device Unreachable" } });
  });

  test("to a device that is not live, or not known, is not applied and leaves no entry", async () => {
    using disk = new Disk();
    const { driver, set, state } = life(disk);
    driver.live.clear();
    expect(await set("cmd_1", true)).toMatchObject({ ...LATE, failure: { name: "Device Unreachable" } });
    expect([state.entry("cmd_1"), state.lastNumber]).toEqual([undefined, 0]);
  });

  test("that waited past its deadline does not touch the device, as when the agent stood still", async () => {
    using disk = new Disk();
    const { driver, set, state, clock } = life(disk);
    driver.hold();
    const first = set("cmd_1", true, { deadline: 60_000 });
    const second = set("cmd_2", false);
    await clock.advance(20_000);
    driver.release();
    expect(await first).toMatchObject({ outcome: "confirmed" });
    expect(await second).toMatchObject({ ...LATE, failure: { name: "Hub Timeout" } });
    expect(driver.touches).toHaveLength(1);
    expect(state.entry("cmd_2")).toBeUndefined();
  });

  test("that waited until its tunnel was gone does not touch the device, and can be sent again", async () => {
    using disk = new Disk();
    const { driver, set } = life(disk);
    let live = true;
    driver.hold();
    const first = set("cmd_1", true, { mayTouch: () => live });
    const second = set("cmd_2", false, { mayTouch: () => live });
    await settle();
    live = false;
    const again = set("cmd_2", false);
    driver.release();
    expect((await first).outcome).toBe("confirmed");
    expect(await second).toMatchObject(LATE);
    expect(await again).toMatchObject({ outcome: "confirmed", command: "cmd_2" });
    expect(driver.touches).toHaveLength(2);
  });

  test("whose lease ends between journal and hardware is recorded as not applied", async () => {
    using disk = new Disk();
    const { driver, set } = life(disk);
    let asked = 0;
    const answer = await set("cmd_1", true, { mayTouch: () => ++asked === 1 });
    expect(answer).toMatchObject({ outcome: "not_applied", n: 1 });
    expect(driver.touches).toEqual([]);
  });

  test("that is cancelled before its turn is not begun; one that was begun is carried on and recorded", async () => {
    using disk = new Disk();
    const { driver, set } = life(disk);
    const cancel = new AbortController();
    driver.hold();
    const begun = set("cmd_1", true, { signal: cancel.signal });
    const queued = set("cmd_2", false, { signal: cancel.signal });
    await settle();
    cancel.abort();
    driver.release();
    expect(await begun).toMatchObject({ outcome: "confirmed" });
    expect(await queued).toMatchObject(LATE);
  });

  test("whose journal entry cannot be written touches nothing", async () => {
    using disk = new Disk();
    const broken = { begin: () => Promise.reject(new Error("disk full")) };
    const { driver, set } = life(disk, undefined, (state) => ({
      entry: (id) => state.entry(id),
      end: (end) => state.end(end),
      learn: (observed, cause) => state.learn(observed, cause),
      ...broken,
    }));
    expect(await set("cmd_1", true)).toMatchObject(LATE);
    expect(driver.touches).toEqual([]);
  });
});

describe("order", () => {
  test("commands and reads of one property are carried out in the order in which they came, one at a time", async () => {
    using disk = new Disk();
    const { driver, set, commands, leave, clock } = life(disk);
    driver.hold();
    const done = Promise.all([set("cmd_1", true), commands.read([on(0)], leave()), set("cmd_2", false)]);
    await settle();
    expect(driver.touches).toHaveLength(1);
    driver.release();
    const [, [read]] = await clock.until(done);
    expect(driver.touches.map(({ what, value }) => value ?? what)).toEqual([true, "read", false]);
    expect(read).toMatchObject({ value: true });
  });

  test("a device that answers slowly holds up neither another property nor another device", async () => {
    using disk = new Disk();
    const { driver, set, commands, leave } = life(disk);
    driver.hold();
    void set("cmd_1", true);
    await settle();
    driver.hold();
    driver.release();
    expect(await commands.command({ id: "cmd_2", ...level(3) }, leave())).toMatchObject({ outcome: "confirmed" });
    expect(await commands.command({ id: "cmd_3", ...on(true, BUTTON) }, leave())).toMatchObject({
      outcome: "confirmed",
    });
  });

  test("so much runs at once, over all and on one device; what is too much to wait is refused", async () => {
    using disk = new Disk();
    const { driver, commands, leave } = life(disk, { total: 3, perDevice: 2, waiting: 6 });
    driver.hold();
    const to = (property: string, edgeId = LAMP) =>
      commands.command({ id: `cmd_${property}_${edgeId}`, ...on(true, edgeId), property }, leave());
    const all = ["a", "b", "c"].flatMap((property) => [to(property), to(property, BUTTON)]);
    await settle();
    expect(driver.touches.filter((touch) => touch.device === LAMP)).toHaveLength(2);
    expect(driver.touches).toHaveLength(3);
    expect(await to("d")).toMatchObject({ ...LATE, failure: { name: "Device Unreachable" } });
    driver.release();
    expect(new Set((await Promise.all(all)).map(({ outcome }) => outcome))).toEqual(new Set(["confirmed"]));
    expect(commands.waiting).toBe(0);
  });
});

describe("a read", () => {
  test("stores what it learns and answers each item in its place, with numbers", async () => {
    using disk = new Disk();
    const { driver, commands, leave, state, clock } = life(disk);
    await disk.done(state.arrive(device()));
    driver.values.set(`${LAMP} on`, true).set(`${LAMP} level`, 40);
    const unknown = { ...on(0), device: "00-00-00-00-00-01" };
    const answers = await clock.until(commands.read([level(0), unknown, on(0)], leave()));
    expect(answers).toMatchObject([{ value: 40 }, { failure: { name: "Device Unreachable" } }, { value: true }]);
    expect(told(state).map((record) => record.kind === "value" && [record.n, record.cause])).toEqual([
      false,
      [2, "read"],
      [3, "read"],
    ]);
    expect(await clock.until(commands.read([level(0)], leave()))).toMatchObject([
      { n: answers[0] && "n" in answers[0] ? answers[0].n : -1 },
    ]);
  });

  test.each([
    ["after its deadline", { deadline: 0 }],
    ["when its tunnel is gone", { mayTouch: () => false }],
    ["when nobody waits any more", { signal: AbortSignal.abort() }],
  ] as const)("%s does not touch the device", async (_title, change) => {
    using disk = new Disk();
    const { driver, commands, leave, clock } = life(disk);
    const [answer] = await clock.until(commands.read([on(0)], leave(change)));
    expect(answer).toMatchObject({ failure: { name: "Hub Timeout" } });
    expect(driver.touches).toEqual([]);
  });

  test("that the device refuses says so", async () => {
    using disk = new Disk();
    const { driver, commands, leave, clock } = life(disk);
    driver.next.push({ kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "no", code: 6 });
    expect(await clock.until(commands.read([on(0)], leave()))).toEqual([
      { failure: { name: "Device Rejected", detail: "no", code: 6 } },
    ]);
  });
});
