/** Commands go after 30 days, those of every ecosystem, and no younger one. */
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FreshLocation, freshLocation } from "../../store/fresh-store.fixture.ts";
import { Store } from "../../store/index.ts";
import { KEEP_COMMANDS, sweepCommands } from "./old-commands.ts";
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
