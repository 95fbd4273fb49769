/** Frames through the tunnel between a hub and a cloud of other versions: neither is disturbed by what the other does not know. */
import { expect, it } from "vitest";
import { hubJournal, type KeptFrames, MOST_EXCHANGES } from "./hub-journal.ts";
import { maintenanceAnswer } from "./hub-maintenance.ts";

const JOURNAL = { isCut: false, items: [{ command: "cmd_1", requested: true }] };
const FRAME = { at: 5, direction: "to_device", bytes: 2, hex: "c0c0", says: "READ 1: device 0, Switch:0.on" };
const LINE = { kind: "kept", since: 1, exchanges: [{ kind: "read", value: true, frames: [FRAME] }] };

it("an answer with frames is taken as it is, and one of an older agent, which has none", () => {
  for (const journal of [{ ...JOURNAL, line: LINE }, { ...JOURNAL, line: { kind: "off" } }, JOURNAL])
    expect(maintenanceAnswer.parse({ journal })).toEqual({ journal });
});

it("a cloud that does not know frames leaves them out, and takes the rest", () => {
  expect(hubJournal.omit({ line: true }).parse({ ...JOURNAL, line: LINE })).toEqual(JOURNAL);
});

it.each<[string, (line: Extract<KeptFrames, { kind: "kept" }>) => unknown]>([
  [
    "more exchanges than a hub may tell",
    ({ exchanges }) => ({ exchanges: Array(MOST_EXCHANGES + 1).fill(exchanges[0]) }),
  ],
  ["bytes that are no hex", () => ({ exchanges: [{ kind: "read", frames: [{ ...FRAME, hex: "c0c" }] }] })],
  ["a direction that there is not", () => ({ exchanges: [{ kind: "read", frames: [{ ...FRAME, direction: "up" }] }] })],
  ["a time that there is not", () => ({ since: 9e15 })],
])("%s is no answer", (_name, change) => {
  const line = { ...LINE, ...(change(LINE as never) as object) };
  expect(maintenanceAnswer.safeParse({ journal: { ...JOURNAL, line } }).success).toBe(false);
});
