/** One list of several walks through the log: nothing is missing in it, and it goes on where it has come least far. */
import type { EventLogPage, PorchlightEvent } from "@porchlight/sdk";
import { describe, expect, it } from "vitest";
import { behind, mergedLog, type Walk } from "./use-log-book.ts";

const event = (sequence: number) => ({ id: `evt_${sequence}`, sequence }) as PorchlightEvent;
/** A page that has looked at the sequences from `first` to `last`. */
const page = (first: number, last: number, sequences: readonly number[], more = true): EventLogPage => ({
  items: sequences.map(event),
  range: { first, last },
  log: { oldest: 1, newest: 100 },
  ...(more && { continuationToken: "next" }),
});
const walk = (...pages: EventLogPage[]): Walk => ({ pages, isShown: () => true });
const shown = (walks: readonly Walk[], heard: readonly number[] = []) =>
  mergedLog(walks, heard.map(event)).events.map(({ sequence }) => sequence);

describe("a merged log", () => {
  it("has the events of all walks, the newest first, each once", () => {
    expect(shown([walk(page(80, 100, [99, 90])), walk(page(80, 100, [95, 90]))])).toEqual([99, 95, 90]);
  });

  it("goes no further back than the walk that has come least far, until that has ended", () => {
    const far = walk(page(10, 100, [99, 50, 20]));
    expect(shown([far, walk(page(80, 100, [95]))])).toEqual([99, 95]);
    expect(shown([far, walk(page(80, 100, [95], false))])).toEqual([99, 95, 50, 20]);
    expect(mergedLog([far, walk(page(80, 100, [95]))], []).reached).toBe(80);
  });

  it("shows nothing before each walk has a page, and then also what has happened since", () => {
    expect(shown([walk(page(80, 100, [99])), walk()])).toEqual([]);
    expect(shown([walk(page(80, 100, [99]))], [101, 99])).toEqual([101, 99]);
  });

  it("leaves out what a walk finds and does not mean", () => {
    const odd: Walk = { pages: [page(1, 100, [9, 8, 7], false)], isShown: ({ sequence }) => sequence % 2 === 1 };
    expect(mergedLog([odd], [])).toMatchObject({ events: [{ sequence: 9 }, { sequence: 7 }], hasMore: false });
  });
});

it("only those walks go on that have come least far", () => {
  expect(behind([walk(page(80, 100, [])), walk(page(10, 100, []))])).toEqual([true, false]);
  expect(behind([walk(page(80, 100, [], false)), walk(page(10, 100, []))])).toEqual([false, true]);
  expect(behind([walk(page(10, 100, [])), walk(page(10, 100, []))])).toEqual([true, true]);
  expect(behind([walk(page(10, 100, [], false))])).toEqual([false]);
});
