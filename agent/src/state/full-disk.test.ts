import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Log, silentLog } from "@porchlight/shared/kernel";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { Reserve } from "./reserve.ts";
import { Disk, device, level, on, pending, pressed } from "./state.fixture.ts";

const RESERVE = 256 * 1024;

/** A hub with a lamp on a disk that is full when the test says so, but for the reserve. */
async function hubOnDisk() {
  const disk = new Disk();
  const logged: string[] = [];
  const say = (_fields: unknown, message: string) => void logged.push(message);
  const log: Log = { ...silentLog, warn: say, error: say, info: say };
  const reserve = join(disk.folder, "reserve");
  const full = { is: false };
  const state = disk.open({
    log,
    groupMs: 1,
    reserveBytes: RESERVE,
    beforeCommit: () => {
      if (full.is && existsSync(reserve)) throw new Database.SqliteError("database or disk is full", "SQLITE_FULL");
    },
  });
  await disk.done(state.arrive(device()));
  return { disk, state, logged, full, reserve, [Symbol.dispose]: () => disk[Symbol.dispose]() };
}

describe("a hub whose disk is full", () => {
  test("carries out commands with the room that it has kept, and asks devices to hold their reports back", async () => {
    using hub = await hubOnDisk();
    const { disk, state, logged, full, reserve } = hub;
    expect(statSync(reserve).size).toBe(RESERVE);
    full.is = true;
    // The report that finds the disk full is taken in with what was kept: its device never got another answer.
    expect(await disk.report(state, pressed())).toBe("stored");
    expect(existsSync(reserve)).toBe(false);
    expect(logged).toContain(
      "the disk is full: the rest is reserved for commands, and devices must hold their reports back",
    );
    expect(await disk.report(state, pressed("long"))).toBe("busy");
    expect(await disk.report(state, level(3))).toBe("busy");
    expect(await disk.done(state.begin({ id: "cmd_1", ...on(true) }))).toBe("begun");
    const end = { command: "cmd_1", ...on(true), requested: true, outcome: "confirmed", observedAt: 1 } as const;
    await disk.done(state.end(end));
    expect(pending(state).map(({ kind }) => kind)).toEqual(["presence", "value", "result"]);
    expect(state.status()).toMatchObject({ refusedReports: 2, disk: { short: true } });
  });

  test("goes on by itself when there is room again, and says what the gap was", async () => {
    using hub = await hubOnDisk();
    const { disk, state, logged, full, reserve } = hub;
    full.is = true;
    await disk.report(state, pressed());
    await disk.report(state, pressed("long"));
    full.is = false;
    await disk.clock.advance(10_000);
    expect(state.status().disk.short).toBe(false);
    expect(statSync(reserve).size).toBe(RESERVE);
    expect(logged.at(-1)).toBe("the disk has free space again");
    expect(await disk.report(state, pressed("long"))).toBe("stored");
  });

  test("counts what it has read and cannot store", async () => {
    using disk = new Disk();
    const state = disk.open({
      groupMs: 1,
      beforeCommit: () => {
        if (disk.clock.monotonic() > 0) throw new Database.SqliteError("full", "SQLITE_FULL");
      },
    });
    await disk.clock.advance(1);
    await expect(disk.done(state.learn(level(3), "read"))).rejects.toThrow("full");
    expect(state.status()).toMatchObject({ gaps: 1, lastNumber: 0 });
    expect(state.value(level(3))).toBeUndefined();
  });
});

describe("a database that turns out to be damaged at work", () => {
  test("is reported to the owner of the store, once more for each failure", async () => {
    using disk = new Disk();
    const damaged: string[] = [];
    let broken = false;
    const state = disk.open({
      groupMs: 1,
      damaged: (why) => damaged.push(why),
      beforeCommit: () => {
        if (broken) throw new Database.SqliteError("database disk image is malformed", "SQLITE_CORRUPT_INDEX");
      },
    });
    broken = true;
    await expect(disk.report(state, on(true))).rejects.toThrow("malformed");
    expect(damaged[0]).toBe("database disk image is malformed");
  });
});

describe("room that is kept", () => {
  test("is bytes that were really written, is given up at once, and is not made where there is no room for twice as much", () => {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-reserve-"));
    try {
      const reserve = new Reserve(join(folder, "reserve"), RESERVE);
      expect(reserve.make()).toBe(true);
      const { size, blocks } = statSync(join(folder, "reserve"));
      expect([size, blocks * 512 >= RESERVE]).toEqual([RESERVE, true]);
      reserve.spend();
      reserve.spend();
      expect(existsSync(join(folder, "reserve"))).toBe(false);
      const { freeBytes = 0 } = reserve.space() ?? {};
      expect(new Reserve(join(folder, "huge"), freeBytes).make()).toBe(false);
      expect(existsSync(join(folder, "huge"))).toBe(false);
      expect(new Reserve(join(folder, "none"), 0).make()).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
