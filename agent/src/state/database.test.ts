import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { silentLog } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { StateUnusable } from "./database.ts";
import { Disk, device, LAMP } from "./state.fixture.ts";

describe("agent.db", () => {
  test("a damaged database is kept under a name with the time, logged, and a new one is created", () => {
    using disk = new Disk();
    writeFileSync(disk.path, "this was a database once ".repeat(200));
    const logged: string[] = [];
    const state = disk.open({ log: { ...silentLog, error: (_fields, message) => logged.push(message) } });
    expect(state.lastNumber).toBe(0);
    expect(logged).toEqual(["the hub's database is damaged: its file is kept, and a new one is created"]);
    const kept = readdirSync(disk.folder).filter((name) => name.includes("damaged"));
    expect(kept).toEqual(["agent.db.damaged-2026-01-01T00-00-00Z"]);
    expect(readFileSync(`${disk.folder}/${kept[0]}`, "utf8")).toContain("a database once");
  });

  test("damage in the middle of the file is found at the start, and the new history has another name", async () => {
    using disk = new Disk();
    const whole = disk.open();
    await disk.done(whole.arrive(device()));
    const { logId } = whole;
    await whole[Symbol.asyncDispose]();
    const bytes = readFileSync(disk.path);
    writeFileSync(disk.path, bytes.fill(0xa5, 4096));
    const state = disk.open();
    expect(state.logId).not.toBe(logId);
    expect(state.device(LAMP)).toBeUndefined();
  });

  test("a second agent on the same folder is refused, and the first is not harmed", async () => {
    using disk = new Disk();
    const first = disk.open();
    expect(() => disk.open()).toThrow(StateUnusable);
    await disk.done(first.arrive(device()));
    expect(first.device(LAMP)).toBeDefined();
  });
});
