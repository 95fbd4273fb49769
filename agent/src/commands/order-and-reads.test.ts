import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { BUTTON, Disk, device, LAMP, level, on, pending } from "../state/state.fixture.ts";
import { life } from "./life.fixture.ts";

const LATE = { outcome: "not_applied" };

describe("order", () => {
  test("commands and reads of one property are carried out in the order in which they came, one at a time", async () => {
    using disk = new Disk();
    const { driver, set, commands, permit, clock } = life(disk);
    driver.hold();
    const done = Promise.all([set("cmd_1", true), commands.read([on(0)], permit()), set("cmd_2", false)]);
    await settle();
    expect(driver.touches).toHaveLength(1);
    driver.release();
    const [, [read]] = await clock.until(done);
    expect(driver.touches.map(({ what, value }) => value ?? what)).toEqual([true, "read", false]);
    expect(read).toMatchObject({ value: true });
  });

  test("a device that answers slowly holds up neither another property nor another device", async () => {
    using disk = new Disk();
    const { driver, set, commands, permit } = life(disk);
    driver.hold();
    void set("cmd_1", true);
    await settle();
    driver.hold();
    driver.release();
    expect(await commands.command({ id: "cmd_2", ...level(3) }, permit())).toMatchObject({ outcome: "confirmed" });
    expect(await commands.command({ id: "cmd_3", ...on(true, BUTTON) }, permit())).toMatchObject({
      outcome: "confirmed",
    });
  });

  test("so much runs at once, over all and on one device; what is too much to wait is refused", async () => {
    using disk = new Disk();
    const { driver, commands, permit } = life(disk, { total: 3, perDevice: 2, waiting: 6 });
    driver.hold();
    const to = (property: string, edgeId = LAMP) =>
      commands.command({ id: `cmd_${property}_${edgeId}`, ...on(true, edgeId), property }, permit());
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
    const { driver, commands, permit, state, clock } = life(disk);
    await disk.done(state.arrive(device()));
    driver.values.set(`${LAMP} on`, true).set(`${LAMP} level`, 40);
    const unknown = { ...on(0), device: "00-00-00-00-00-01" };
    const answers = await clock.until(commands.read([level(0), unknown, on(0)], permit()));
    expect(answers).toMatchObject([{ value: 40 }, { failure: { name: "Device Unreachable" } }, { value: true }]);
    expect(pending(state).map((record) => record.kind === "value" && [record.n, record.cause])).toEqual([
      false,
      [2, "read"],
      [3, "read"],
    ]);
    expect(await clock.until(commands.read([level(0)], permit()))).toMatchObject([
      { n: answers[0] && "n" in answers[0] ? answers[0].n : -1 },
    ]);
  });

  test.each([
    ["after its deadline", { deadline: 0 }],
    ["when its tunnel is gone", { mayTouch: () => false }],
    ["when the caller no longer waits", { signal: AbortSignal.abort() }],
  ] as const)("%s does not touch the device", async (_title, change) => {
    using disk = new Disk();
    const { driver, commands, permit, clock } = life(disk);
    const [answer] = await clock.until(commands.read([on(0)], permit(change)));
    expect(answer).toMatchObject({ failure: { name: "Hub Timeout" } });
    expect(driver.touches).toEqual([]);
  });

  test("of a value that the device confirmed within the age that is asked for touches no device", async () => {
    using disk = new Disk();
    const { driver, commands, availability, doubts, permit, state, clock } = life(disk);
    await disk.done(state.arrive(device()));
    availability.arrived(LAMP);
    await disk.report(state, on(true));
    const { number: n, observedAt } = state.value(on(0)) ?? {};
    await clock.advance(4000);
    expect(await commands.read([on(0)], permit(), 5000)).toEqual([{ n, value: true, observedAt }]);
    expect(state.repeat(on(true))).toBe(true);
    await clock.advance(4000);
    expect(await commands.read([on(0)], permit(), 5000)).toEqual([{ n, value: true, observedAt: clock.now() - 4000 }]);
    expect(driver.touches).toEqual([]);
    await clock.advance(1001);
    await clock.until(commands.read([on(0)], permit(), 5000));
    doubts.raise(on(0));
    await clock.until(commands.read([on(0)], permit(), 5000));
    await clock.until(commands.read([on(0)], permit()));
    expect(driver.touches.length).toBe(3);
    doubts[Symbol.dispose]();
  });

  test("and a command of a property that the device no longer describes touch nothing, and are refused by name", async () => {
    using disk = new Disk();
    const { driver, set, commands, permit, state, clock } = life(disk);
    const { description, ...lamp } = device();
    await disk.done(state.arrive({ ...lamp, description: description.filter(({ service }) => service !== "Switch") }));
    const gone = { name: "Device Rejected", detail: "The device no longer has this property: it was not asked." };
    expect(await clock.until(commands.read([on(0)], permit()))).toEqual([{ failure: gone }]);
    expect(await clock.until(set("cmd_1", true))).toMatchObject({ outcome: "rejected", failure: gone });
    expect(driver.touches).toEqual([]);
  });

  test("that the device refuses says so", async () => {
    using disk = new Disk();
    const { driver, commands, permit, clock } = life(disk);
    driver.next.push({ kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "no", code: 6 });
    expect(await clock.until(commands.read([on(0)], permit()))).toEqual([
      { failure: { name: "Device Rejected", detail: "no", code: 6 } },
    ]);
  });
});
