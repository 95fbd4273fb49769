import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { Disk, LAMP, pending } from "../state/state.fixture.ts";
import { NoListener } from "./commands.ts";
import { life } from "./life.fixture.ts";

/** Refused, and in the journal. */
const REFUSED = { outcome: "not_applied", n: expect.toSatisfy((n: number) => n > 0) };
/** Refused, and not in the journal. */
const NOT_WRITTEN = { outcome: "not_applied", n: 0 };
/** A journal on a disk that takes nothing. */
const FULL = {
  begin: () => Promise.reject(new Error("disk full")),
  refuse: () => Promise.reject(new Error("disk full")),
};

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
    expect(pending(state)).toEqual([answer]);
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
      value: (target) => state.value(target),
      device: (edgeId) => state.device(edgeId),
      end: (end) => state.end(end),
      refuse: (request, end) => state.refuse(request, end),
      learn: (observed, cause) => state.learn(observed, cause),
      begin: (request) => {
        const begun = state.begin(request);
        state.kill();
        return begun;
      },
    }));
    const answer = hub.set("cmd_1", true);
    expect(await answer).toMatchObject(NOT_WRITTEN);
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
  ] as const)("that the driver ends as %s is answered so, in the journal too", async (outcome, result) => {
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

  test("to a device that is not live, or not known, is not applied, and is sent as a record too", async () => {
    using disk = new Disk();
    const { driver, set, state } = life(disk);
    driver.live.clear();
    const answer = await set("cmd_1", true);
    expect(answer).toMatchObject({ ...REFUSED, failure: { name: "Device Unreachable" } });
    expect(state.entry("cmd_1")).toEqual({ kind: "ended", result: answer });
    expect(pending(state)).toEqual([answer]);
  });

  test("that was refused is refused for ever, though the device is back, time is left, and the agent has been killed", async () => {
    using disk = new Disk();
    const hub = life(disk);
    hub.driver.live.clear();
    const refused = await hub.set("cmd_1", true);
    hub.driver.live.add(LAMP);
    expect(await hub.set("cmd_1", true)).toEqual(refused);
    hub.state.kill();
    const again = life(disk);
    expect(await again.set("cmd_1", true)).toEqual(refused);
    expect([hub.driver.touches, again.driver.touches]).toEqual([[], []]);
  });

  test("that is refused because too much waits is not begun by an earlier asking of the same either", async () => {
    using disk = new Disk();
    const hub = life(disk, { total: 1, perDevice: 1, waiting: 2 });
    hub.driver.hold();
    const begun = hub.set("cmd_1", true);
    const first = hub.set("cmd_2", false);
    const second = await hub.set("cmd_2", false);
    expect(second).toMatchObject({ ...REFUSED, failure: { detail: expect.stringContaining("Too many") } });
    hub.driver.release();
    expect(await begun).toMatchObject({ outcome: "confirmed" });
    expect(await first).toEqual(second);
    expect(hub.driver.touches).toHaveLength(1);
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
    const refused = await second;
    expect(refused).toMatchObject({ ...REFUSED, failure: { name: "Hub Timeout" } });
    expect(driver.touches).toHaveLength(1);
    expect(state.entry("cmd_2")).toEqual({ kind: "ended", result: refused });
  });

  test("that waited until its tunnel was gone is neither begun nor refused, and can be sent again", async () => {
    using disk = new Disk();
    const { driver, set } = life(disk);
    let live = true;
    driver.hold();
    const first = set("cmd_1", true, { mayTouch: () => live });
    const second = set("cmd_2", false, { mayTouch: () => live, mayAnswer: () => live });
    second.catch(() => undefined);
    await settle();
    live = false;
    const again = set("cmd_2", false);
    driver.release();
    expect((await first).outcome).toBe("confirmed");
    await expect(second).rejects.toThrow(NoListener);
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
    expect(await queued).toMatchObject(REFUSED);
  });

  test("whose journal entry cannot be written touches nothing, nor does it once the journal can be written again", async () => {
    using disk = new Disk();
    let isFull = true;
    const { driver, set } = life(disk, undefined, (state) => ({
      entry: (id) => state.entry(id),
      value: (target) => state.value(target),
      device: (edgeId) => state.device(edgeId),
      end: (end) => state.end(end),
      learn: (observed, cause) => state.learn(observed, cause),
      begin: (request) => (isFull ? FULL.begin() : state.begin(request)),
      refuse: (request, end) => (isFull ? FULL.refuse() : state.refuse(request, end)),
    }));
    const refused = await set("cmd_1", true);
    expect(refused).toMatchObject(NOT_WRITTEN);
    isFull = false;
    expect(await set("cmd_1", true)).toEqual(refused);
    expect(driver.touches).toEqual([]);
  });
});
