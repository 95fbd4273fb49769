import type { EventLogPage, PorchlightEvent } from "@porchlight/sdk";
import { describe, expect, it } from "vitest";
import { EMPTY_VIEW, isBehind, type LogInput, type LogView, logRows, MOST, nextView } from "./log-view.ts";

const event = (sequence: number, type = "zone.created", id = `evt_${sequence}`) =>
  ({ sequence, type, id }) as PorchlightEvent;
const from = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => event(first + at));
const isShown = ({ type }: PorchlightEvent) => type === "zone.created";
function page(
  first: number,
  last: number,
  log = { oldest: 1, newest: 1000 },
  grows: "older" | "newer" = "newer",
): LogInput {
  const answer: EventLogPage = { items: from(first, last), range: { first, last }, log };
  return { kind: "page", page: answer, grows };
}
const heard = (...events: PorchlightEvent[]): LogInput => ({ kind: "heard", events, isShown });
const after = (...inputs: LogInput[]) => inputs.reduce<LogView>(nextView, EMPTY_VIEW);
/** Runs of events and what is missing between, the newest first. */
function rowsOf(view: LogView): string[] {
  const texts: string[] = [];
  let run: number[] = [];
  const end = () => {
    if (run.length > 0) texts.push(run.length === 1 ? `${run[0]}` : `${run[0]}..${run.at(-1)}`);
    run = [];
  };
  for (const row of logRows(view)) {
    if (row.kind === "event") run.push(row.event.sequence);
    else {
      end();
      texts.push(row.kind === "beginning" ? "beginning" : `${row.kind} ${row.first}-${row.last}`);
    }
  }
  end();
  return texts;
}

describe("the log on the page", () => {
  it("opens with the newest, and marks older events as not loaded", () => {
    expect(rowsOf(after(page(801, 1000)))).toEqual(["1000..801", "missing 1-800"]);
  });

  it("a live event joins what is loaded without a gap", () => {
    const view = after(page(801, 1000), heard(event(1001), event(1002, "hub.online"), event(1003)));
    expect(rowsOf(view)).toEqual(["1003..801", "missing 1-800"].map((text) => text));
    expect([isBehind(view), view.newest]).toEqual([false, 1003]);
  });

  it("a live event that does not join shows what is missing, until that is loaded", () => {
    const view = after(page(801, 1000), heard(event(1005)));
    expect([rowsOf(view)[0], isBehind(view)]).toEqual(["missing 1001-1005", true]);
    const caughtUp = nextView(view, page(1001, 1005, { oldest: 1, newest: 1005 }));
    expect([rowsOf(caughtUp)[0], isBehind(caughtUp), caughtUp.waiting]).toEqual(["1005..801", false, []]);
  });

  it("from the first event on, everything up to the live end is marked as missing", () => {
    const view = after({ kind: "begin", isFollowing: false }, page(1, 200), heard(event(1001)));
    expect(rowsOf(view)).toEqual(["missing 201-1001", "200..1", "beginning"]);
    expect([isBehind(view), view.waiting]).toEqual([false, [1001]]);
  });

  it("a gap between two runs is filled from either end", () => {
    const two = after(page(1, 100), page(901, 1000));
    expect(rowsOf(two)).toEqual(["1000..901", "missing 101-900", "100..1", "beginning"]);
    expect(rowsOf(nextView(two, page(101, 300)))[1]).toBe("missing 301-900");
    expect(rowsOf(nextView(two, page(101, 900)))).toEqual(["1000..1", "beginning"]);
  });

  it("separates expired events from events that are not loaded", () => {
    const log = { oldest: 401, newest: 1000 };
    expect(rowsOf(after(page(801, 1000, log)))).toEqual(["1000..801", "missing 401-800", "deleted 1-400"]);
    expect(rowsOf(after(page(401, 1000, log)))).toEqual(["1000..401", "deleted 1-400"]);
    expect(rowsOf(after(page(1, 100), page(801, 1000, log)))).toContain("deleted 101-400");
  });

  it("holds so many events; paging back lets the newest go and does not follow any more", () => {
    const log = { oldest: 1, newest: 25_000 };
    const older = after(page(23_001, 25_000, log), page(22_801, 23_000, log, "older"));
    expect(rowsOf(older)).toEqual(["missing 24801-25000", "24800..22801", "missing 1-22800"]);
    expect(older.isFollowing).toBe(false);
    const live = after(page(23_001, 25_000, log), heard(event(25_001)));
    expect([rowsOf(live), live.isFollowing]).toEqual([["25001..23002", "missing 1-23001"], true]);
    expect(logRows(live).filter(({ kind }) => kind === "event")).toHaveLength(MOST);
  });

  it("counts what comes while it is paused, and loses nothing of it", () => {
    const paused = after(page(801, 1000), { kind: "pause" }, heard(event(1001), event(1002)));
    expect([paused.waiting, rowsOf(paused)[0]]).toEqual([[1001, 1002], "missing 1001-1002"]);
    const again = nextView(paused, { kind: "follow" });
    expect(isBehind(again)).toBe(true);
    expect(rowsOf(nextView(again, page(1001, 1002, { oldest: 1, newest: 1002 })))[0]).toBe("1002..801");
  });

  it("what is repeated is no second event; another one under its number begins anew", () => {
    const view = after(page(801, 1000));
    expect(nextView(view, heard(event(1000)))).toBe(view);
    expect(nextView(view, heard(event(1000, "zone.created", "evt_other")))).toEqual(EMPTY_VIEW);
  });
});
