/** What a request for history may ask for, and in which words it is refused. */
import { describe, expect, it } from "vitest";
import { parseTime } from "../kernel/index.ts";
import { readHistoryFormat, readHistoryPageSize, readHistoryQuery } from "./history-query.ts";

const NOW = (parseTime("2026-11-08 12:00:00Z") ?? 0) + 300;
const read = (query: Record<string, string>) => readHistoryQuery(query, NOW, { rawFor: 10 * 86_400_000 });

describe("the time that is asked for", () => {
  it("is the last 24 hours, with the second that has begun", () => {
    const { from, to, resolution, timeZone } = read({});
    expect([from, to]).toEqual([parseTime("2026-11-07 12:00:01Z"), parseTime("2026-11-08 12:00:01Z")]);
    expect([resolution, timeZone]).toEqual(["raw", "UTC"]);
  });

  it("begins 24 hours before its end", () => {
    expect(read({ to: "2026-11-05 14:03:07Z" }).from).toBe(parseTime("2026-11-04 14:03:07Z"));
  });
});

it("the resolution is chosen by the time, and is of steps when the query names their aggregates", () => {
  expect(read({ from: "2026-11-06 12:00:00Z" }).resolution).toBe("5m");
  expect(read({ from: "2026-10-06 12:00:00Z" }).resolution).toBe("1h");
  expect(read({ from: "2025-11-06 12:00:00Z" }).resolution).toBe("1d");
  expect(read({ from: "2016-11-06 12:00:00Z" }).resolution).toBe("1mo");
  expect(read({ aggregate: "mean,max" })).toMatchObject({ resolution: "5m", aggregates: new Set(["mean", "max"]) });
});

it.each([
  [{ from: "yesterday" }, "`from` must be a time such as 2026-11-05 14:03:07Z."],
  [{ to: "2026-13-05 14:03:07Z" }, "`to` must be a time such as 2026-11-05 14:03:07Z."],
  [{ from: "2026-11-05 14:03:07Z", to: "2026-11-05 14:03:07Z" }, "`from` must be earlier than `to`."],
  [{ resolution: "10m" }, "`resolution` must be one of raw, 5m, 1h, 1d, 1mo."],
  [
    { aggregate: "mean,median" },
    "`aggregate` must be one or more of mean, min, max, last, count, growth, resets, states, happenings, separated by commas.",
  ],
  [
    { aggregate: "mean", resolution: "raw" },
    "`aggregate` says what a step tells: there are no steps with `resolution=raw`.",
  ],
  [{ timeZone: "+02:00" }, "`timeZone` must be a name of the IANA database such as Europe/Berlin."],
])("%j is refused in a sentence", (query, detail) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ name: "Query Parameter Invalid", message: detail }));
});

it("a page has up to 10,000 points", () => {
  expect([readHistoryPageSize(undefined), readHistoryPageSize("17")]).toEqual([10_000, 17]);
  for (const text of ["0", "10001", "x", "1.5", ""])
    expect(() => readHistoryPageSize(text)).toThrow(expect.objectContaining({ name: "Page Size Invalid" }));
});

describe("the form", () => {
  it.each([
    [undefined, "json"],
    ["*/*", "json"],
    ["text/html", "json"],
    ["text/csv", "csv"],
    ["Text/CSV; charset=utf-8", "csv"],
    ["application/x-ndjson, */*;q=0.1", "ndjson"],
    ["text/csv;q=0.2, application/json;q=0.9", "json"],
    ["text/csv;q=0", "json"],
    ["text/csv;q=x", "json"],
  ])("for accept %s is %s", (accept, format) => {
    expect(readHistoryFormat(accept, {})).toBe(format);
  });

  it("without pages takes nothing of a page", () => {
    expect(() => readHistoryFormat("text/csv", { pageSize: "10" })).toThrow(
      expect.objectContaining({ message: "`pageSize` goes with JSON: CSV and NDJSON have no pages." }),
    );
    expect(readHistoryFormat("application/json", { pageSize: "10" })).toBe("json");
  });
});
