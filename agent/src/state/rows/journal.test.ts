import { describe, expect, test } from "vitest";
import { Disk, device, LAMP, level, on, told } from "../state.fixture.ts";

const HOUR = 3_600_000;

describe("the journal", () => {
  test("a command that was begun when the agent was killed is ended as unknown at the next start, once, and told", async () => {
    using disk = new Disk();
    let state = disk.open();
    await disk.done(state.arrive(device()));
    await state.begin({ id: "cmd_1", ...on(true) });
    state.kill();
    for (let starts = 0; starts < 2; starts++) {
      state = disk.open();
      expect(state.entry("cmd_1")).toMatchObject({ kind: "ended", result: { outcome: "unknown", requested: true } });
      expect(told(state).filter(({ kind }) => kind === "result")).toHaveLength(1);
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

  test("ids are kept for 24 hours of running, whatever the wall clock does", async () => {
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
});
