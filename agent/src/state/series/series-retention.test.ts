/** What goes after ten days, in the tables themselves: what is read at home no longer shows it in any case. */
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { Disk, device, LAMP, level } from "../state.fixture.ts";

/** 2026-01-01. */
const START = 1_767_225_600_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
const HOME = { homeEvents: { edgeId: "02-00-00-00-00-01" } };

/** A hub that got reports of a level three times within an hour, eleven days ago. */
async function elevenDaysAgo(disk: Disk, meanwhile: (state: ReturnType<Disk["open"]>) => Promise<void>): Promise<void> {
  await disk.clock.advance(START - disk.clock.now());
  const state = disk.open(HOME);
  state.learnTime(disk.clock.now(), disk.clock.monotonic());
  await disk.done(state.arrive(device()));
  for (const value of [1, 2, 3]) {
    await disk.report(state, level(value));
    await disk.clock.advance(10 * MINUTE);
  }
  await meanwhile(state);
  await disk.clock.advance(11 * DAY);
  await state[Symbol.asyncDispose]();
}

function rows(disk: Disk): readonly unknown[] {
  const db = new Database(disk.path, { readonly: true });
  const tables = ["history_series", "history_changes", "history_recent", "history_steps"];
  const counts = tables.map((table) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get());
  db.close();
  return counts;
}

test("of a property without further reports the last change stays, with its value", async () => {
  using disk = new Disk();
  await elevenDaysAgo(disk, async () => undefined);
  expect(rows(disk)).toEqual([1, 1, 0, 0]);
  const again = disk.open(HOME);
  const target = { device: LAMP, service: "LightLevel", index: "0", property: "level" };
  const source = again.series.source({ target, deviceId: "dev_1", kind: "number", unit: undefined });
  expect((await source.before(disk.clock.now()))?.value).toBe("3");
});

test("of a property that no device has any more nothing stays", async () => {
  using disk = new Disk();
  await elevenDaysAgo(disk, async (state) => {
    const { description, ...rest } = device();
    const left = description.filter(({ service }) => service !== "LightLevel");
    await disk.done(state.arrive({ ...rest, description: left }));
  });
  expect(rows(disk)).toEqual([0, 0, 0, 0]);
});
