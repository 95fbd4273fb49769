/** Commands are deleted after 30 days, those of every ecosystem, and no younger one; sooner if an ecosystem has too many bytes of them. */
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addCommand } from "../../devices/commands/command-store.ts";
import { type FreshLocation, freshLocation } from "../../store/fresh-store.fixture.ts";
import { type CommandRow, Store } from "../../store/index.ts";
import { CommandTrimmer, KEEP_COMMANDS, sweepCommands } from "./old-commands.ts";
import { Retention } from "./retention.ts";

let fresh: FreshLocation;
let clock: VirtualClock;
let ids: IdMaker;
let store: Store;
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  ids = new IdMaker(clock, seededRandom(3));
  store = await Store.open({ ...fresh.opening, clock, ids });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

async function give(eco: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    ...{ ecosystem_id: eco, id: ids.next("cmd"), environment_id: "env_1", device_id: "dev_1", client_id: null },
    ...{ service: "Switch", idx: "0", property: "on", value: "true", state: "confirmed" as const, token_id: null },
    ...{ outcome: "confirmed" as const, error: null, created_at: clock.now(), expires_at: 0, completed_at: 0 },
  }));
  await store.writeService((tx) => tx.change(tx.build.insertInto("commands").values(rows)));
}

async function left(): Promise<Record<string, number>> {
  const rows = await store.service.query(store.service.build.selectFrom("commands").select("ecosystem_id"));
  return Object.fromEntries(
    Map.groupBy(rows, (row) => row.ecosystem_id)
      .entries()
      .map(([eco, all]) => [eco, all.length]),
  );
}

it("takes away what is older than 30 days, of every ecosystem, however many there are", async () => {
  await give("eco_a", 1_000);
  await give("eco_b", 501);
  await give("eco_c", 1);
  await clock.advance(1_000);
  await give("eco_b", 2);
  const bound = clock.now() + KEEP_COMMANDS;
  await sweepCommands(store, bound - 1_000, () => true);
  expect(await left()).toEqual({ eco_a: 1_000, eco_b: 503, eco_c: 1 });
  await sweepCommands(store, bound, () => true);
  expect(await left()).toEqual({ eco_b: 2 });
  await sweepCommands(store, bound + 1, () => true);
  expect(await left()).toEqual({});
});

it("stops between two jobs when the program ends", async () => {
  await give("eco_a", 1_200);
  let turns = 2;
  await sweepCommands(store, clock.now() + 2 * KEEP_COMMANDS, () => turns-- > 0);
  expect(await left()).toEqual({ eco_a: 700 });
});

it("is part of what is taken away every hour", async () => {
  await give("eco_a", 1);
  const late = new VirtualClock(clock.now() + KEEP_COMMANDS + 1);
  await using retention = Retention.start({ store, clock: late, log: silentLog });
  await retention.sweep();
  expect(await left()).toEqual({});
});

describe("an ecosystem that gives commands with large values", () => {
  const MEGABYTES = 2;
  const VALUE = JSON.stringify("x".repeat(16_000));
  /** That fit, with what a row takes besides its value. */
  const MOST = (MEGABYTES * 1_000_000) / VALUE.length;
  /** Several slices. */
  const GIVEN = 1_300;

  /** Stores commands as requests do, each with a job. @param hasEnded by its place */
  async function storeLarge(eco: string, given: readonly string[], hasEnded = (_at: number) => true): Promise<void> {
    const rows = given.map(
      (id, at): CommandRow => ({
        ...{ ecosystem_id: eco, id, environment_id: "env_1", device_id: "dev_1", client_id: null, value: VALUE },
        ...{ service: "Note", idx: "0", property: "text", error: null, created_at: 0, expires_at: 0, token_id: null },
        ...(hasEnded(at)
          ? { completed_at: 0, state: "confirmed", outcome: "confirmed" }
          : { completed_at: null, state: "sent", outcome: null }),
        ...{ deferred: null, origin: null, hops: null, scene_id: null, scene_command_id: null, confirmed_value: null },
      }),
    );
    for (const row of rows) await store.write(eco, (tx) => addCommand(tx, row));
  }
  const newIds = (count: number) => Array.from({ length: count }, () => ids.next("cmd"));
  const trimmer = () => CommandTrimmer.start({ store, clock, log: silentLog, keepCommandsMegabytes: MEGABYTES });
  async function kept(eco: string): Promise<string[]> {
    const { build } = store.service;
    const commands = build.selectFrom("commands").select("id").where("ecosystem_id", "=", eco).orderBy("id");
    return (await store.service.query(commands)).map(({ id }) => id);
  }

  it("keeps the newest of them, as many as fit", async () => {
    await using _trimmer = trimmer();
    const given = newIds(GIVEN);
    await storeLarge("eco_b", newIds(10));
    await storeLarge("eco_a", given);
    await expect.poll(async () => (await kept("eco_a")).length).toBeLessThanOrEqual(MOST);
    const left = await kept("eco_a");
    expect(left).toEqual(given.slice(-left.length));
    expect(left.length).toBeGreaterThan(0.8 * MOST);
    expect(await kept("eco_b")).toHaveLength(10);
  });

  it("keeps all that have not ended", async () => {
    await using _trimmer = trimmer();
    const given = newIds(GIVEN);
    const isOpen = (at: number) => at % 2 === 0 && at < 1_100;
    await storeLarge("eco_a", given, (at) => !isOpen(at));
    const open: string[] = given.filter((_, at) => isOpen(at));
    await expect.poll(async () => (await kept("eco_a")).length).toBeLessThanOrEqual(open.length + MOST);
    expect((await kept("eco_a")).filter((id) => open.includes(id))).toEqual(open);
  });

  it("is kept to it also with old IDs, as a hub may give them", async () => {
    const old = newIds(GIVEN);
    await clock.advance(60_000);
    await using _trimmer = trimmer();
    await storeLarge("eco_a", [...newIds(1), ...old]);
    await expect.poll(async () => (await kept("eco_a")).length).toBeLessThanOrEqual(MOST);
  });
});
