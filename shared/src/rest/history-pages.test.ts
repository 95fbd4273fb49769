/** Pages of history: that together they are the whole, at any size, and that CSV and NDJSON say the same. */
import { describe, expect, it } from "vitest";
import { type HistoryKind, type HistoryPage, type HistoryPoint, historyPage } from "../api/index.ts";
import { formatTime, parseTime, seededRandom } from "../kernel/index.ts";
import { type HistoryPlace, historyPageOf, historyPart } from "./history-pages.ts";
import { readHistoryQuery } from "./history-query.ts";
import { csvOf, historySlices, ndjsonOf } from "./history-text.ts";
import { KeptHistory } from "./kept-history.fake.ts";

const NOW = parseTime("2026-11-08 12:00:00Z") ?? 0;
const DAY = 86_400_000;
const DEVICE = "dev_01h455vb4pex5vsknk084sn02";
const DEFAULTS = { rawFor: 10 * DAY };

/** Four series over some days, one of each kind, and one of which nothing is recorded. */
function make(seed: number) {
  const random = seededRandom(seed);
  const whole = (most: number) => Math.floor(random.fraction() * most);
  const kinds: readonly HistoryKind[] = ["number", "total", "state", "event"];
  const series = kinds.map((kind, number) => new KeptHistory(`${DEVICE}${number}`, kind));
  for (const each of series) {
    let at = NOW - 4 * DAY + whole(DAY);
    while (at < NOW - 3_600_000) {
      if (random.fraction() < 0.05)
        each.all.push({ from: at + 60_000, until: at + 60_000 + whole(4_000_000), reason: "device_offline" });
      const value = { number: whole(90) / 4, total: whole(1000), state: ["on", "off"][whole(2)], event: "press" };
      each.change(at, random.fraction() < 0.05 && each.kind !== "event" ? null : value[each.kind]);
      at += random.fraction() < 0.3 ? whole(500) : whole(3_000_000);
    }
  }
  const sources = {
    recordedUntil: NOW,
    begins: NOW - 10 * DAY,
    series: [new KeptHistory(`${DEVICE}9`, "number"), ...series],
  };
  return { sources, series };
}

type Made = ReturnType<typeof make>;
const asked = (query: Record<string, string>) => readHistoryQuery(query, NOW, DEFAULTS);

async function pages({ sources }: Made, query: Record<string, string>, size: number) {
  const all: HistoryPage[] = [];
  let place: HistoryPlace | undefined;
  do {
    const { page, next } = await historyPart(sources, asked(query), place, size);
    all.push(historyPage.parse(page));
    const answer = historyPageOf({ page, next }, next && "token");
    expect([...historySlices(answer)].join("")).toBe(JSON.stringify(answer));
    const points = page.items.reduce((sum, each) => sum + Math.max(1, each.points.length), 0);
    expect(points).toBeLessThanOrEqual(size);
    place = next && (JSON.parse(JSON.stringify(next)) as HistoryPlace);
  } while (place);
  return all;
}

/** The pieces of each series put together. */
function together(all: readonly HistoryPage[]) {
  const series = new Map<string, { points: HistoryPoint[]; heads: object[] }>();
  for (const { deviceId, points, ...head } of all.flatMap(({ items }) => items)) {
    const known = series.get(deviceId) ?? { points: [], heads: [] };
    known.points.push(...points);
    known.heads.push(head);
    series.set(deviceId, known);
  }
  return series;
}

describe.each(["raw", "5m", "1h", "1d", "1mo"])("with resolution=%s", (resolution) => {
  const query = { from: formatTime(NOW - 6 * DAY), resolution, timeZone: "Asia/Kolkata" };

  it("pages of any size have the same points as one page, and tell the beginning of a series once", async () => {
    const made = make(3);
    const [whole, ...others] = await pages(made, query, 10_000);
    expect(others).toEqual([]);
    if (!whole) throw new Error("no page");
    expect(whole.items.map(({ deviceId }) => deviceId.at(-1))).toEqual(["0", "1", "2", "3", "9"]);
    for (const size of resolution === "5m" ? [97, 1000] : [1, 7, 100]) {
      const parts = together(await pages(made, query, size));
      for (const { deviceId, points, ...first } of whole.items) {
        const part = parts.get(deviceId);
        expect(part?.points).toEqual(points);
        const { before, gaps, ...head } = first;
        expect(part?.heads[0]).toEqual(first);
        for (const later of part?.heads.slice(1) ?? []) expect(later).toEqual(head);
      }
    }
  });

  it("lines of NDJSON and CSV are the points of the pages and, change by change, the gaps", async () => {
    const made = make(4);
    const [whole] = await pages(made, query, 10_000);
    const points = whole?.items.flatMap(({ points, before, gaps = [], kind, ...head }) => [
      ...(resolution === "raw" ? gaps : []).map(({ from, until, reason }) => ({
        ...{ ...head, at: from, value: null, gapReason: reason },
        ...(until !== undefined && { gapUntil: until }),
      })),
      ...points.map((point) => ({ ...head, ...point })),
    ]);
    const lines = linesOf(await textOf(ndjsonOf(made.sources, asked(query))));
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    expect(sorted(lines)).toEqual(sorted(points ?? []));
    const places = lines.map(({ deviceId, at }) => `${deviceId} ${at}`);
    expect(places).toEqual([...places].sort());
    expect(lines.some(({ gapReason }) => gapReason !== undefined)).toBe(resolution === "raw");
    const [head, ...rows] = (await textOf(csvOf(made.sources, asked(query)))).trimEnd().split("\r\n");
    expect(rows).toHaveLength(points?.length ?? 0);
    const columns = (head ?? "").split(",");
    expect(new Set(rows.map((row) => row.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,"]*)/g)?.length))).toEqual(
      new Set([columns.length]),
    );
  });
});

function linesOf(ndjson: string): Record<string, unknown>[] {
  const lines = ndjson.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}

describe("raw history", () => {
  it("is every change of the time, with the one before it, and the gaps that reach into it", async () => {
    const made = make(5);
    const from = NOW - 3 * DAY;
    const [page] = await pages(made, { from: formatTime(from), resolution: "raw" }, 10_000);
    for (const source of made.series) {
      const item = page?.items.find(({ deviceId }) => deviceId === source.deviceId);
      const rows = source.rows.filter(({ at }) => at >= from);
      expect(item?.points).toEqual(rows.map(({ at, value }) => ({ at: formatTime(at), value: JSON.parse(value) })));
      const before = source.rows.filter(({ at }) => at < from).at(-1);
      const expected = before &&
        source.kind !== "event" && { at: formatTime(before.at), value: JSON.parse(before.value) };
      expect(item?.before).toEqual(expected || undefined);
      expect(item?.gaps?.length ?? 0).toBe(source.all.filter(({ until }) => until > from).length);
    }
  });

  it("lists changes of one second in their order, over the end of a page", async () => {
    const series = new KeptHistory(`${DEVICE}0`, "number");
    for (let each = 0; each < 1200; each++) series.change(NOW - 1000, each);
    const made = { sources: { recordedUntil: NOW, begins: 0, series: [series] }, series: [series] };
    const parts = together(await pages(made, { resolution: "raw" }, 499));
    expect(parts.get(series.deviceId)?.points.map(({ value }) => value)).toEqual([...Array(1200).keys()]);
  });
});

it("a value that changed last long ago still holds, far beyond the last step that is kept", async () => {
  const series = new KeptHistory(`${DEVICE}0`, "number");
  series.change(NOW - 4 * DAY - 60_000, 1);
  series.change(NOW - 4 * DAY, 2);
  const sources = { recordedUntil: NOW, begins: NOW - 10 * DAY, series: [series] };
  const query = { from: formatTime(NOW - 5 * DAY), resolution: "5m" };
  const { page } = await historyPart(sources, asked(query), undefined, 10_000);
  const [points] = page.items.map((each) => each.points);
  expect(points?.at(0)).toMatchObject({ last: 1 });
  expect(points?.slice(1).every(({ last, knownSeconds }) => last === 2 && knownSeconds === 300)).toBe(true);
  expect(points).toHaveLength(4 * 288 + 1);
});

describe("the range", () => {
  it("is that of the first page on all pages, and is widened to whole steps, but not beyond what is recorded", async () => {
    const made = make(6);
    const query = { from: "2026-11-05 14:03:07Z", resolution: "1d", timeZone: "Europe/Berlin" };
    const { page, next } = await historyPart(made.sources, asked(query), undefined, 2);
    expect(page.range).toEqual({ from: "2026-11-04 23:00:00Z", to: "2026-11-08 12:00:00Z" });
    expect(page.timeZone).toBe("Europe/Berlin");
    const later = { ...made.sources, recordedUntil: NOW + DAY };
    const { page: second } = await historyPart(later, readHistoryQuery(query, NOW + DAY, DEFAULTS), next, 2);
    expect(second.range).toEqual({ from: "2026-11-04 23:00:00Z", to: "2026-11-08 23:00:00Z" });
  });

  it("of a time that has not come yet is empty", async () => {
    const query = { from: "2027-01-01 00:00:00Z", to: "2027-01-02 00:00:00Z", resolution: "5m" };
    const [page] = await pages(make(6), query, 100);
    expect(page?.range).toEqual({ from: "2027-01-01 00:00:00Z", to: "2027-01-01 00:00:00Z" });
    expect(page?.items.every(({ points }) => points.length === 0)).toBe(true);
  });

  it.each(["5m", "1h", "1d", "1mo"])(
    "of all times costs no more than what is recorded, with resolution=%s",
    async (resolution) => {
      const query = { from: "1970-01-01 00:00:00Z", to: "9999-12-31 23:59:59Z", resolution, timeZone: "Asia/Kolkata" };
      const [page] = await pages(make(6), query, 10_000);
      expect(page?.items.filter(({ points }) => points.length > 0)).toHaveLength(4);
    },
  );
});

describe("a gap in a text", () => {
  const noon = NOW - DAY;
  const at = (minute: number) => formatTime(noon + minute * 60_000);
  const lamp = () => {
    const series = new KeptHistory(`${DEVICE}0`, "number");
    series.change(noon - 3_600_000, 1);
    const hub = { from: noon - 60_000, until: noon + 60_000, reason: "hub_offline" } as const;
    const device = { from: noon + 180_000, until: Number.POSITIVE_INFINITY, reason: "device_offline" } as const;
    // In no order, as they may be kept.
    series.all.push(device, hub);
    for (const minute of [1, 2, 3]) series.change(noon + minute * 60_000, minute * 10);
    return { recordedUntil: NOW, begins: 0, series: [series] };
  };
  const query = asked({ from: formatTime(noon), resolution: "raw" });

  it("has a row of CSV with its end and its reason, from when it began, in the order of time", async () => {
    const rows = (await textOf(csvOf(lamp(), query))).trimEnd().split("\r\n");
    expect(rows[0]).toBe("deviceId,service,index,property,unit,at,value,gapUntil,gapReason");
    expect(rows.slice(1).map((row) => row.split(",").slice(5).join(","))).toEqual([
      `${at(-1)},,${at(1)},hub_offline`,
      `${at(1)},10,,`,
      `${at(2)},20,,`,
      // What was reported in the second in which it begins was known.
      `${at(3)},30,,`,
      `${at(3)},,,device_offline`,
    ]);
  });

  it("has a line of NDJSON, with null as the value and no end while it lasts", async () => {
    const lines = linesOf(await textOf(ndjsonOf(lamp(), query)));
    expect(lines.filter(({ gapReason }) => gapReason !== undefined)).toEqual([
      expect.objectContaining({ at: at(-1), value: null, gapUntil: at(1), gapReason: "hub_offline" }),
      { ...lines[0], at: at(3), gapUntil: undefined, gapReason: "device_offline" },
    ]);
    expect(lines[4]).not.toHaveProperty("gapUntil");
  });

  it("stands alone where nothing changed, and takes its place among thousands of changes", async () => {
    const quiet = lamp();
    quiet.series[0]?.rows.splice(0);
    expect(linesOf(await textOf(ndjsonOf(quiet, query)))).toHaveLength(2);
    const busy = new KeptHistory(`${DEVICE}0`, "number");
    for (let each = 0; each < 1_300; each++) {
      busy.change(noon + each * 1_000, each);
      if (each % 100 === 50)
        busy.all.push({ from: noon + each * 1_000 + 1, until: noon + each * 1_000 + 2, reason: "not_recorded" });
    }
    const lines = linesOf(await textOf(ndjsonOf({ recordedUntil: NOW, begins: 0, series: [busy] }, query)));
    const values = lines.flatMap(({ gapReason }, place) => (gapReason ? [lines[place - 1]?.value] : []));
    expect(values).toEqual(Array.from({ length: 13 }, (_, each) => each * 100 + 50));
  });
});

describe("a text of CSV", () => {
  it("is quoted where it must be, and never a formula", async () => {
    const series = new KeptHistory(`${DEVICE}0`, "state");
    for (const value of ['a,"b"', "=1+1", true, null, { a: 1 }]) series.change(NOW - 1000, value);
    const text = await textOf(csvOf({ recordedUntil: NOW, begins: 0, series: [series] }, asked({ resolution: "raw" })));
    expect(text.split("\r\n").map((line) => line.split("59Z,")[1])).toEqual([
      undefined,
      '"a,""b""",,',
      '"""=1+1""",,',
      "true,,",
      ",,",
      '"{""a"":1}",,',
      undefined,
    ]);
  });
});

it("a step whose sum overflows has no mean: no field in JSON, an empty cell in CSV", async () => {
  const series = new KeptHistory(`${DEVICE}0`, "number");
  const begin = NOW - 3_600_000;
  for (const [at, value] of [Number.MAX_VALUE, -Number.MAX_VALUE, 1].entries())
    series.change(begin + at * 2_000, value);
  const query = asked({ resolution: "1h", aggregate: "mean,count", from: formatTime(begin) });
  const sources = { recordedUntil: NOW, begins: 0, series: [series] };
  const { page } = await historyPart(sources, query, undefined, 10);
  expect(page.items[0]?.points).toEqual([{ at: formatTime(begin), knownSeconds: 3_600, count: 3 }]);
  const [head = "", row = ""] = (await textOf(csvOf(sources, query))).split("\r\n");
  const cells = new Map(head.split(",").map((column, at) => [column, row.split(",")[at]]));
  expect([cells.get("mean"), cells.get("count")]).toEqual(["", "3"]);
});
