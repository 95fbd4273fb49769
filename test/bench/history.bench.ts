/** History: how fast it is recorded, what it takes on the disk, how fast a year of it is read, and that reports do not become slower. */

import { join } from "node:path";
import { type HistoryAsked, historyPart } from "@porchlight/shared/rest";
import Sqlite from "better-sqlite3";
import { eventually } from "../parts/eventually.ts";
import { rounds } from "../parts/rounds.ts";
import { ECO, recordYear, type Year } from "./history/year.ts";
import { startProduct } from "./parts.ts";
import { median, print, ratio } from "./report.ts";
import { STORES } from "./stores.ts";

const DAY = 86_400_000;
const DEVICES = 1_000;
const CHANGES = rounds(300_000, 1_000_000);

for (const start of STORES) {
  await using store = await start();
  await using year = await recordYear({
    ...store,
    devices: DEVICES,
    often: 1,
    changes: CHANGES,
    rawDays: 10,
    days: 365,
  });
  const { changes, recordingMs } = year;
  print(`changes recorded, a second, ${store.name}`, {
    ...{ measured: (changes / recordingMs) * 1000, limit: 5_000 },
    ...{ ratio: ((changes / recordingMs) * 1000) / 5_000, goal: ">= 5,000" },
  });
  print(`a year of ${changes} changes of ${DEVICES} properties on the disk, ${store.name}, bytes a change`, {
    ...{ measured: (await year.bytes()) / changes, limit: 500, ratio: (await year.bytes()) / changes / 500 },
    ...{ goal: "<= 500", "MB in all": (await year.bytes()) / 1e6 },
  });
  await time(year, `a year of one property by the hour, ${store.name}, ms`, "1h", [0], 50);
  await time(year, `a year of one property by the day, ${store.name}, ms`, "1d", [0], 50);
  await printBytesOfDay(start);
  const all = year.devices.map((_id, at) => at);
  await time(year, `a year of ${DEVICES} properties by the month, ${store.name}, s`, "1mo", all, 30_000, 1_000);
}

/** Of a property that changes every five minutes, one of twenty: its statistics, and its changes while they are kept. */
async function printBytesOfDay(start: (typeof STORES)[number]): Promise<void> {
  const taken = async (days: number, rawDays: number) => {
    await using store = await start();
    await using year = await recordYear({ ...store, devices: 20, often: 20, changes: 0, rawDays, days });
    return { name: store.name, bytes: (await year.bytes()) / 20 };
  };
  // What is too old goes every thirty days.
  const [long, short, raw] = [await taken(60, 10), await taken(30, 10), await taken(30, 30)];
  for (const [what, measured] of [
    ["statistics", (long.bytes - short.bytes) / 30],
    ["changes, while they are kept", (raw.bytes - short.bytes) / 20],
  ] as const)
    print(`${what} of a property that changes every five minutes, ${long.name}, bytes a day`, {
      ...{ measured, limit: 288 * 8, ratio: measured / (288 * 8), goal: "none" },
    });
}

async function time(
  year: Year,
  what: string,
  resolution: HistoryAsked["resolution"],
  which: readonly number[],
  limitMs: number,
  unit = 1,
): Promise<void> {
  const { history, clock, property, devices } = year;
  const to = clock.now();
  const asked: HistoryAsked = {
    from: to - 365 * DAY,
    to,
    resolution,
    aggregates: undefined,
    timeZone: "Europe/Berlin",
  };
  const selected = which.map((at) => ({ device: deviceOf(devices[at] ?? ""), property }));
  const times: number[] = [];
  let points = 0;
  for (let round = 0; round < (which.length > 1 ? 1 : 15); round++) {
    const begin = performance.now();
    points = 0;
    const sources = await history.sources(ECO, selected);
    let part = await historyPart(sources, asked, undefined, 10_000);
    for (;;) {
      points += part.page.items.reduce((sum, { points: own }) => sum + own.length, 0);
      if (!part.next) break;
      part = await historyPart(sources, asked, part.next, 10_000);
    }
    times.push(performance.now() - begin);
  }
  const measured = median(times) / unit;
  print(what, {
    measured,
    limit: limitMs / unit,
    ratio: (measured * unit) / limitMs,
    goal: `<= ${limitMs / unit}`,
    points,
  });
}

function deviceOf(id: string) {
  return { id, clientId: null, edgeId: null, described: { description: [], byService: new Map(), byKey: new Map() } };
}

const HUBS = 3;
const COUNT = 60_000;
await using product = await startProduct(HUBS, 11);
const db = new Sqlite(join(product.folder, "cloud", "cloud.db"), { readonly: true });
const sequence = () => (db.prepare("select max(sequence) as n from events").get() as { n: number }).n;
const recorded = () =>
  (db.prepare("select sequence as n from history_positions").get() as { n: number } | undefined)?.n;

/** Reports that became events, a second. */
async function reportRate(enabled: boolean): Promise<number> {
  await product.api.good("PUT", `/api/ecosystems/${product.ecosystemId}/history-settings`, { enabled });
  await eventually("everything is recorded", async () => recorded() === sequence(), 120_000);
  const before = sequence();
  const start = performance.now();
  for (const each of product.hubs) each.tell(`report ${COUNT / HUBS}`);
  await eventually("every report is an event", async () => sequence() >= before + COUNT, 120_000);
  return (COUNT / (performance.now() - start)) * 1000;
}

const pairs: [number, number][] = [];
await reportRate(true);
for (let round = 0; round < rounds(3, 7); round++) {
  const [without, withHistory] = round % 2 === 0 ? [await reportRate(false), await reportRate(true)] : await swapped();
  pairs.push([withHistory, without]);
}
async function swapped(): Promise<readonly [number, number]> {
  const withHistory = await reportRate(true);
  return [await reportRate(false), withHistory];
}
print("reports of three hubs to committed event, a second, with history and without", {
  measured: median(pairs.map(([rate]) => rate)),
  limit: median(pairs.map(([, rate]) => rate)),
  ratio: ratio(pairs),
  goal: ">= 0.95",
});
const begin = performance.now();
await eventually("history has caught up", async () => recorded() === sequence(), 300_000);
print("history behind after such a burst, s", {
  ...{
    measured: (performance.now() - begin) / 1000,
    limit: 60,
    ratio: (performance.now() - begin) / 60_000,
    goal: "<= 60 s",
  },
});
db.close();
