import type { PorchlightEvent } from "@porchlight/sdk";
import { expect, it } from "vitest";
import { EMPTY_TAIL, entriesOf, MOST, nextTail, type Tail, type TailInput } from "./tail.ts";

const event = (sequence: number, type = "zone.created") =>
  ({ sequence, type, id: `evt_${sequence}` }) as PorchlightEvent;
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => event(first + at));
const all = () => true;
const after = (...inputs: TailInput[]) => inputs.reduce<Tail>((tail, input) => nextTail(tail, input, all), EMPTY_TAIL);
const shown = (tail: Tail, isShown = (_: PorchlightEvent) => true) =>
  entriesOf(tail, isShown).map((entry) => (entry.kind === "event" ? entry.event.sequence : `${entry.missing} missing`));

it("shows the newest first", () => {
  expect(shown(after({ kind: "events", events: from(1, 3) }))).toEqual([3, 2, 1]);
});

it("keeps a thousand, and lets the oldest go", () => {
  const tail = after({ kind: "events", events: from(1, MOST) }, { kind: "events", events: [event(MOST + 1)] });
  expect([tail.kept.length, tail.kept[0]?.sequence]).toEqual([MOST, 2]);
});

it("loses nothing of what comes while it is paused, and counts it", () => {
  const paused = after(
    { kind: "events", events: from(1, 2) },
    { kind: "pause" },
    { kind: "events", events: from(3, 5) },
  );
  expect([shown(paused), paused.waiting.length, paused.dropped]).toEqual([[2, 1], 3, 0]);
  expect(shown(nextTail(paused, { kind: "resume" }, all))).toEqual([5, 4, 3, 2, 1]);
});

it("says how many it had to drop when it was paused for too long", () => {
  const paused = after(
    { kind: "events", events: [event(1)] },
    { kind: "pause" },
    { kind: "events", events: from(2, 900) },
    { kind: "events", events: from(901, 1101) },
  );
  expect([paused.waiting.length, paused.dropped]).toEqual([MOST, 100]);
  // What is older than the thousand newest goes with it.
  const resumed = nextTail(paused, { kind: "resume" }, all);
  expect([resumed.kept[0]?.sequence, resumed.dropped]).toEqual([102, 0]);
});

it("marks where events are missing", () => {
  expect(shown(after({ kind: "events", events: [event(1), event(2), event(7)] }))).toEqual([7, "4 missing", 2, 1]);
});

it("does not call missing what a filter holds back", () => {
  const tail = after({ kind: "events", events: [event(1), event(2, "hub.online"), event(3), event(5)] });
  expect(shown(tail, ({ type }) => type === "zone.created")).toEqual([5, "1 missing", 3, 1]);
});

it("puts what was asked for from before into its place, each event once", () => {
  const tail = after({ kind: "events", events: from(5, 6) }, { kind: "past", events: from(2, 5) });
  expect(shown(tail)).toEqual([6, 5, 4, 3, 2]);
});

it("a repeat of the stream is no second event", () => {
  expect(shown(after({ kind: "events", events: from(1, 3) }, { kind: "events", events: [event(3)] }))).toEqual([
    3, 2, 1,
  ]);
});

it("what was cleared away stays away", () => {
  expect(
    shown(after({ kind: "events", events: from(1, 3) }, { kind: "clear" }, { kind: "events", events: [event(4)] })),
  ).toEqual([4]);
});

it("a rare event that is looked for outlives a thousand others", () => {
  const isRare = ({ type }: PorchlightEvent) => type === "hub.online";
  let tail = nextTail(EMPTY_TAIL, { kind: "events", events: [event(1, "hub.online")] }, isRare);
  tail = nextTail(tail, { kind: "events", events: from(2, 3 * MOST) }, isRare);
  expect([tail.kept.length, shown(tail, isRare)]).toEqual([MOST, [1]]);
});

it("a gap is filled by what was asked for, as far as it goes", () => {
  const tail = after({ kind: "events", events: [event(1), event(7)] }, { kind: "past", events: from(2, 4) });
  expect(shown(tail)).toEqual([7, "2 missing", 4, 3, 2, 1]);
  expect(shown(nextTail(tail, { kind: "past", events: from(5, 6) }, all))).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

it("marks that the past did not reach what is there", () => {
  const tail = after({ kind: "events", events: [event(9)] }, { kind: "past", events: from(2, 3) });
  expect(shown(tail)).toEqual([9, "5 missing", 3, 2]);
});
