import { describe, expect, test } from "vitest";
import { Disk, device, LAMP, level, on, pending } from "../state.fixture.ts";

const HOUR = 3_600_000;

describe("the journal", () => {
  test("a command that was begun when the agent was killed is ended as unknown at the next start, once, and sent", async () => {
    using disk = new Disk();
    let state = disk.open();
    await disk.done(state.arrive(device()));
    await state.begin({ id: "cmd_1", ...on(true) });
    state.kill();
    for (let starts = 0; starts < 2; starts++) {
      state = disk.open();
      expect(state.entry("cmd_1")).toMatchObject({ kind: "ended", result: { outcome: "unknown", requested: true } });
      expect(pending(state).filter(({ kind }) => kind === "result")).toHaveLength(1);
      if (starts === 0) state.kill();
    }
  });

  test("what a cut-off command may have changed must be read, once", async () => {
    using disk = new Disk();
    let state = disk.open();
    await state.begin({ id: "cmd_1", ...on(true) });
    await state.begin({ id: "cmd_2", ...level(1, "00-00-00-00-00-01") });
    state.kill();
    state = disk.open();
    const unsettled = [
      { device: LAMP, service: "Switch", index: "0", property: "on" },
      { device: "00-00-00-00-00-01", service: "LightLevel", index: "0", property: "level" },
    ];
    expect(state.unsettled).toEqual(unsettled);
    state.kill();
    expect(disk.open().unsettled).toEqual([]);
  });

  test("an entry and its end are on disk when they are answered", async () => {
    using disk = new Disk();
    let state = disk.open();
    expect(await state.begin({ id: "cmd_1", ...on(true) })).toBe("begun");
    const result = await state.end({
      command: "cmd_1",
      ...on(true),
      requested: true,
      outcome: "confirmed",
      observedAt: 5,
    });
    state.kill();
    state = disk.open();
    expect(state.entry("cmd_1")).toEqual({ kind: "ended", result });
    expect(await state.begin({ id: "cmd_1", ...on(true) })).toBe("known");
  });

  test("ids are kept for 24 hours of running, at any jump of the wall clock", async () => {
    using disk = new Disk();
    let state = disk.open();
    await state.begin({ id: "cmd_1", ...on(true) });
    await state.end({ command: "cmd_1", ...on(true), requested: true, outcome: "confirmed", observedAt: 5 });
    disk.clock.jumpWall(400 * 24 * HOUR);
    await disk.clock.advance(23 * HOUR);
    await state[Symbol.asyncDispose]();
    state = disk.open();
    expect(state.entry("cmd_1")).toBeDefined();
    await disk.clock.advance(3 * HOUR);
    expect(state.entry("cmd_1")).toBeUndefined();
  });

  test("lists the newest commands to a property: when each began, how it ended, and where its time went", async () => {
    using disk = new Disk();
    const state = disk.open();
    const target = { device: LAMP, service: "Switch", index: "0", property: "on" };
    const outcome = { requested: true, outcome: "rejected", observedAt: disk.clock.now() + 7 } as const;
    const failure = { name: "Device Rejected", detail: "too hot", code: 6 } as const;
    const hops = { turn: 0.5, journal: 2, device: 40 };
    const begunAt = disk.clock.now();
    await state.begin({ id: "cmd_1", ...on(true) });
    await state.end({ command: "cmd_1", ...on(true), ...outcome, failure, hops });
    await disk.clock.advance(1000);
    await state.begin({ id: "cmd_2", ...on(false), local: true, by: "wall panel" });
    await state.begin({ id: "cmd_3", ...level(3) });
    // A value that looks like the target of another command.
    await state.begin({ id: "cmd_4", ...level(target) });
    expect(state.journalOf(target)).toEqual({
      isCut: false,
      items: [
        { command: "cmd_2", requested: false, isLocal: true, by: "wall panel", begunAt: begunAt + 1000 },
        {
          ...{ command: "cmd_1", requested: true, begunAt, hops },
          end: { outcome: "rejected", at: begunAt + 7, failure },
        },
      ],
    });
    // A repeated answer, and the record for the cloud, is the result alone.
    expect(state.entry("cmd_1")).toEqual({ kind: "ended", result: expect.not.objectContaining({ hops }) });
    expect(pending(state)).toEqual([expect.not.objectContaining({ hops })]);
    await disk.clock.advance(25 * HOUR);
    expect(state.journalOf(target).items).toEqual([]);
  });

  test("lists a bounded number of entries, and that there are more", async () => {
    using disk = new Disk();
    const state = disk.open();
    for (let n = 10; n < 31; n++) await state.begin({ id: `cmd_${n}`, ...on(n % 2 === 0) });
    const { isCut, items } = state.journalOf({ device: LAMP, service: "Switch", index: "0", property: "on" });
    expect([isCut, items.length]).toEqual([true, 20]);
  });

  test.each([
    ["in no order", ["cmd_5", "cmd_3", "cmd_9", "cmd_1"]],
    ["of any characters", ["cmd_5", "\u{1f4a1}", "\uff5e", "cmd_6", "\u{1f4a1}a"]],
  ])("knows IDs that come %s, before and after a restart", async (_how, ids) => {
    using disk = new Disk();
    let state = disk.open();
    for (const id of ids) {
      expect(state.entry(id)).toBeUndefined();
      expect(await state.begin({ id, ...on(true) })).toBe("begun");
      for (const known of ids.slice(0, ids.indexOf(id) + 1))
        expect(await state.begin({ id: known, ...on(true) })).toBe("known");
    }
    state.kill();
    state = disk.open();
    for (const id of ids) expect(state.entry(id)).toMatchObject({ kind: "ended", result: { outcome: "unknown" } });
    expect(state.entry("cmd_99")).toBeUndefined();
  });

  test("a command whose beginning or end the disk refused is as it was before", async () => {
    using disk = new Disk();
    const refusal = { is: false };
    const state = disk.open({
      beforeCommit: () => {
        if (refusal.is) throw new Error("the disk refuses");
      },
    });
    const end = { command: "cmd_1", ...on(true), requested: true, outcome: "confirmed", observedAt: 5 } as const;
    refusal.is = true;
    await expect(state.begin({ id: "cmd_1", ...on(true) })).rejects.toThrow("the disk refuses");
    expect(state.entry("cmd_1")).toBeUndefined();
    refusal.is = false;
    await state.begin({ id: "cmd_1", ...on(true) });
    refusal.is = true;
    await expect(state.end(end)).rejects.toThrow("the disk refuses");
    expect(state.entry("cmd_1")?.kind).toBe("begun");
    refusal.is = false;
    const result = await state.end(end);
    expect(state.entry("cmd_1")).toEqual({ kind: "ended", result });
  });
});
