/** Commands counted in bounded looks: however they are cut, each is counted once. */
import { type CommandCounts, formatTime } from "@porchlight/shared/api";
import { IdMaker, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FreshLocation, freshLocation } from "../../store/fresh-store.fixture.ts";
import { Store } from "../../store/index.ts";
import { Activity } from "./activity.ts";
import type { CountLimits } from "./command-counts.ts";

const MINUTE = 60_000;
const STEPS = 12;
let fresh: FreshLocation;
let clock: VirtualClock;
let store: Store;
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(3)) });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

/** A command of each fourth second, accepted up to 40 s before or after its ID was made. */
async function fill(): Promise<number> {
  const begin = clock.now();
  const random = seededRandom(7);
  for (let minute = 0; minute < STEPS; minute++)
    await store.write("eco_1", async (tx) => {
      for (let each = 0; each < 15; each++) {
        await clock.advance(4_000);
        const at = clock.now() + Math.round((random.fraction() - 0.5) * 80_000);
        await tx.change(
          tx.build.insertInto("commands").values({
            ...{ ecosystem_id: "eco_1", id: tx.ids.next("cmd"), environment_id: "env_1", device_id: "dev_1" },
            ...{ client_id: null, service: "Switch", idx: "0", property: "on", value: "true", state: "failed" },
            ...{ outcome: each % 3 === 0 ? "unknown" : "confirmed", error: null, created_at: at, expires_at: at },
            ...{ completed_at: null, token_id: null, deferred: null, origin: null, hops: null },
            ...{ scene_id: null, scene_command_id: null, confirmed_value: null },
          }),
        );
      }
    });
  return begin;
}

/** All pages, as steps by their beginning; how many pages there were. */
async function walk(begin: number, limits: CountLimits, size: number) {
  const activity = new Activity({ store, clock }, limits);
  const asked = { ecosystemId: "eco_1", environmentId: undefined, size };
  const steps: { since: string; commands: CommandCounts }[] = [];
  let pages = 0;
  const whole = { since: begin - MINUTE, until: begin + (STEPS + 1) * MINUTE, step: MINUTE };
  for (let page = await activity.page(asked, whole); ; page = await activity.page(asked, page.next)) {
    steps.push(...page.steps);
    pages += 1;
    if (!page.next || pages > 1_000) return { steps, pages };
  }
}

it("of several looks is what one look finds, whichever commands are cut between", async () => {
  const begin = await fill();
  const { steps, pages } = await walk(begin, { slice: 1_000, most: 1_000 }, 1_000);
  expect(pages).toBe(1);
  const all = steps.reduce((sum, { commands }) => sum + commands.unknown + commands.confirmed, 0);
  expect(all).toBe(STEPS * 15);
  expect(steps.find(({ since }) => since === formatTime(begin + 5 * MINUTE))?.commands.unknown).toBeGreaterThan(1);
  for (const limits of [
    { slice: 1, most: 7 },
    { slice: 4, most: 4 },
    { slice: 10, most: 30 },
  ]) {
    for (const size of [1, 5, 1_000]) {
      const cut = await walk(begin, limits, size);
      expect(cut.steps, JSON.stringify({ limits, size })).toEqual(steps);
      expect(cut.pages).toBeGreaterThan(1);
    }
  }
});
