import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, silentLog, systemRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openIdentity } from "../config/identity.ts";
import { State } from "../state/index.ts";
import { device, LAMP, level, on } from "../state/state.fixture.ts";
import { BackupUnusable, completeBackup, restoreBackup, writeBackup } from "./backup.ts";

const HUB = "02-00-00-00-00-07";
let folder = "";
let clock: VirtualClock;
let seed = 1;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-backup-"));
  clock = new VirtualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (dir: string) =>
  State.open(at(dir, "agent.db"), { clock, random: seededRandom(seed++), log: silentLog, groupMs: 1 });

/** A hub with a device, a value that waits to be sent, and a command that was carried out. */
async function hub(dir = "hub"): Promise<State> {
  mkdirSync(at(dir), { recursive: true, mode: 0o700 });
  openIdentity(at(dir, "identity.key"), { random: systemRandom, edgeId: HUB, hardware: () => undefined });
  writeFileSync(at(dir, "token"), "plt_cli_of_this_hub\n", { mode: 0o600 });
  const state = open(dir);
  await clock.until(state.arrive(device()));
  await clock.until(state.report(level(7), { node: LAMP, boot: 1, seq: 1 }));
  await clock.until(state.begin({ id: "cmd_1", ...on(true) }));
  await clock.until(
    state.end({ command: "cmd_1", ...on(true), requested: true, outcome: "confirmed", observedAt: clock.now() }),
  );
  return state;
}

describe("a backup", () => {
  test("of a stopped hub makes the same hub again: its key, its token, its devices, and what it has carried out", async () => {
    const state = await hub();
    const { logId, lastNumber } = state;
    await state[Symbol.asyncDispose]();
    await writeBackup(at("hub"), at("backup"), clock);
    expect(statSync(at("backup")).mode & 0o077).toBe(0);

    const restored = restoreBackup(at("backup"), at("new"), clock, false);
    expect(restored).toEqual({ edgeId: HUB, madeAt: "2026-01-01T00-00-00Z", aside: [] });
    for (const name of ["identity.key", "token"]) {
      expect(readFileSync(at("new", name))).toEqual(readFileSync(at("hub", name)));
      expect(statSync(at("new", name)).mode & 0o077).toBe(0);
    }
    const again = open("new");
    expect(again.device(LAMP)?.description).toEqual(device().description);
    expect(await clock.until(again.begin({ id: "cmd_1", ...on(true) }))).toBe("known");
    // A new history, which repeats no record that may have been sent before, under numbers that were not given out.
    expect(again.logId).not.toBe(logId);
    expect([again.lastNumber, again.acknowledged]).toEqual([lastNumber, 0]);
    expect(again.pending(0, 100, 100_000)).toEqual([]);
    expect(again.value(level(7))).toBeUndefined();
    again.kill();
  });

  test("of a running hub is of one moment, while it goes on", async () => {
    const state = await hub();
    await state.copyTo(at("backup.new"));
    completeBackup(at("backup.new"), at("hub"), at("backup"), clock);
    await clock.until(state.report(level(8), { node: LAMP, boot: 1, seq: 2 }));
    expect(existsSync(at("backup.new"))).toBe(false);
    restoreBackup(at("backup"), at("new"), clock, false);
    const again = open("new");
    expect(again.device(LAMP)).toBeDefined();
    again.kill();
    state.kill();
  });

  test("of a folder without a hub is none", async () => {
    mkdirSync(at("empty"));
    await expect(writeBackup(at("empty"), at("backup"), clock)).rejects.toThrow(BackupUnusable);
    expect(readdirSync(folder)).toEqual(["empty"]);
  });
});

describe("a restore", () => {
  beforeEach(async () => {
    await (await hub())[Symbol.asyncDispose]();
    await writeBackup(at("hub"), at("backup"), clock);
  });

  test("writes over nothing: what is in the way is kept aside, when a person says so", async () => {
    const key = readFileSync(at("hub", "identity.key"), "utf8");
    expect(() => restoreBackup(at("backup"), at("hub"), clock, false)).toThrow("with --replace its files are renamed");
    const { aside } = restoreBackup(at("backup"), at("hub"), clock, true);
    expect(aside.map((path) => path.slice(at("hub").length + 1)).sort()).toEqual([
      "agent.db.replaced-2026-01-01T00-00-00Z",
      "identity.key.replaced-2026-01-01T00-00-00Z",
      "token.replaced-2026-01-01T00-00-00Z",
    ]);
    expect(readFileSync(at("hub", "identity.key.replaced-2026-01-01T00-00-00Z"), "utf8")).toBe(key);
  });

  test.each<[string, (bytes: Buffer) => Buffer | undefined, string]>([
    ["is not there", () => undefined, "does not exist"],
    ["is something else", () => Buffer.from("not a backup ".repeat(1000)), "is not a backup of a hub, or is damaged"],
    ["is torn", (bytes) => bytes.subarray(0, bytes.length - 4096), "damaged"],
    ["is a history alone", () => readFileSync(at("hub", "agent.db")), "is not a backup of a hub"],
  ])("of a file that %s is refused, and touches nothing", (_what, damage, why) => {
    const bytes = damage(readFileSync(at("backup")));
    rmSync(at("backup"));
    if (bytes) writeFileSync(at("backup"), bytes);
    expect(() => restoreBackup(at("backup"), at("new"), clock, true)).toThrow(why);
    expect(existsSync(at("new"))).toBe(false);
  });
});
