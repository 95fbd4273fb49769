/** In which resolution history is asked for, and what comes of its pages: against a service that is made up. */
import type { HistoryFilter, PageOptions } from "@porchlight/sdk";
import type { HistoryKind, HistoryPage, HistoryResolution } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { fetchSeries, type HistoryApi } from "./fetch-series.ts";
import { serviceTimeOf } from "./planned-series.ts";
import { DAY, HOUR } from "./span.ts";

const NOW = Date.UTC(2026, 10, 5, 12);
const target = { deviceId: "dev_1", service: "Temperature", index: "0", property: "celsius" };
const { signal } = new AbortController();

interface Given {
  readonly kind: HistoryKind;
  /** Points of each page, and how many pages. */
  readonly points?: number;
  readonly pages?: number;
  readonly isForgotten?: boolean;
}

/** A service that has such a series in every resolution. */
function service({ kind, points = 1, pages = 1, isForgotten = false }: Given) {
  const asked: HistoryFilter[] = [];
  let answered = 0;
  const history = (_: string, selector: string, filter: HistoryFilter = {}, __?: PageOptions) => {
    expect(selector).toBe("Temperature:0.celsius");
    asked.push(filter);
    const { from = "", to = "", resolution = "raw" } = filter;
    const isGone = isForgotten && resolution === "raw";
    const item = {
      ...{ ...target, kind },
      points: isGone ? [] : Array.from({ length: resolution === "raw" ? points : 1 }, () => ({ at: from, value: 1 })),
      ...(isGone && { gaps: [{ from, until: to, reason: "not_recorded" as const }] }),
    };
    async function* all(): AsyncGenerator<HistoryPage> {
      for (let page = 0; page < (resolution === "raw" ? pages : 1); page++) {
        answered += 1;
        yield { items: [item], resolution, range: { from, to } };
      }
    }
    return { pages: all };
  };
  const api = { devices: { history } } as unknown as HistoryApi;
  return { api, asked: () => asked.map(({ resolution }) => resolution), filters: asked, answered: () => answered };
}

const ask = (api: HistoryApi, length: number, more: { kind?: HistoryKind; resolution?: HistoryResolution } = {}) =>
  fetchSeries(
    api,
    { target, span: { from: NOW - length, to: NOW }, length, kind: undefined, resolution: undefined, ...more },
    signal,
  );

test.each<
  [string, Given, number, { kind?: HistoryKind; resolution?: HistoryResolution }, readonly HistoryResolution[]]
>([
  ["a day of a number is asked for change by change", { kind: "number" }, DAY, {}, ["raw"]],
  ["a meter is asked for by the hour once the answer says that it is one", { kind: "total" }, DAY, {}, ["raw", "1h"]],
  ["what is known to be a state is asked for at once", { kind: "state" }, 30 * DAY, { kind: "state" }, ["raw"]],
  ["and else once more", { kind: "state" }, 30 * DAY, {}, ["1h", "raw"]],
  [
    "too many changes are asked for as statistics",
    { kind: "number", points: 60_000, pages: 9 },
    DAY,
    {},
    ["raw", "5m"],
  ],
  ["too many states as well", { kind: "state", points: 60_000, pages: 9 }, 30 * DAY, { kind: "state" }, ["raw", "5m"]],
  [
    "what is no longer kept change by change is asked for as statistics",
    { kind: "number", isForgotten: true },
    HOUR,
    {},
    ["raw", "5m"],
  ],
  ["what a person has chosen is asked for", { kind: "total" }, DAY, { resolution: "1d" }, ["1d"]],
])("%s", async (_, given, length, more, expected) => {
  const { api, asked } = service(given);
  expect((await ask(api, length, more))?.resolution).toBe(expected.at(-1));
  expect(asked()).toEqual(expected);
});

test("not more is fetched than can be shown", async () => {
  const { api, answered } = service({ kind: "number", points: 60_000, pages: 9 });
  await ask(api, DAY);
  expect(answered()).toBe(3);
});

test("days are asked for by this computer's time zone", async () => {
  const { api, filters } = service({ kind: "number" });
  await ask(api, 365 * DAY);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(filters[0]).toEqual({
    from: serviceTimeOf(NOW - 365 * DAY),
    to: serviceTimeOf(NOW),
    resolution: "1d",
    timeZone,
  });
});
