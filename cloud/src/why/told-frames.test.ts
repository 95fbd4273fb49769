/** Which frames on the line are told of a command and of a value, and what is said where there are none. */
import type { KeptExchange, KeptFrames } from "@porchlight/shared/model";
import { describe, expect, it } from "vitest";
import { framesOfCommand, framesOfValue, type JournalSaid, whyNoFrames } from "./told-command.ts";

const NOON = 1_795_262_400_000;
const tells = (line: KeptFrames | undefined): JournalSaid => ({
  kind: "told",
  journal: { isCut: false, items: [], ...(line && { line }) },
});
const keeps = (...exchanges: KeptExchange[]) => tells({ kind: "kept", since: NOON, exchanges });
const exchange = (kind: KeptExchange["kind"], at: number, says: string, more: Partial<KeptExchange> = {}) => ({
  ...{ kind, value: false, ...more },
  frames: [{ at, direction: "from_device" as const, bytes: 2, hex: "c0c0", says }],
});
const says = (frames: readonly { readonly says: string }[] | undefined) => frames?.map((frame) => frame.says);

describe("of a command", () => {
  it("all its tries are told in their order, under whatever seq, and nothing of others", () => {
    const of = (command: string) => ({ command });
    const said = keeps(
      exchange("write", NOON + 300, "again", of("cmd_1")),
      exchange("write", NOON + 200, "another", of("cmd_2")),
      exchange("write", NOON + 100, "first", of("cmd_1")),
    );
    const frames = framesOfCommand(said, "cmd_1");
    expect(says(frames)).toEqual(["first", "again"]);
    expect(frames?.map(({ afterMs }) => afterMs)).toEqual([0, 200]);
    expect(framesOfCommand(said, "cmd_3")).toBeUndefined();
  });
});

describe("of a value", () => {
  const value = { value: false, changedAt: NOON };

  it("those are told that brought it: of its kind, equal, and nearest to when it became so", () => {
    const said = keeps(
      exchange("report", NOON + 60_000, "later"),
      exchange("report", NOON, "another value", { value: true }),
      exchange("read", NOON, "a reading"),
      exchange("report", NOON + 3, "it"),
      exchange("report", NOON - 900, "before"),
    );
    expect(says(framesOfValue(said, "report", value))).toEqual(["it"]);
    expect(says(framesOfValue(said, "read", value))).toEqual(["a reading"]);
  });

  it("none are told that are far from it, or said nothing of it", () => {
    expect(framesOfValue(keeps(exchange("report", NOON + 60_000, "later")), "report", value)).toBeUndefined();
    expect(
      framesOfValue(keeps(exchange("read", NOON, "no answer", { value: undefined })), "read", value),
    ).toBeUndefined();
    expect(framesOfValue({ kind: "unknown", detail: "no hub" }, "report", value)).toBeUndefined();
  });
});

it.each<[string, JournalSaid, RegExp | undefined]>([
  ["an agent that is too old", tells(undefined), /^The agent on the hub is too old to keep the frames/],
  ["a hub that keeps none", tells({ kind: "off" }), /^The hub is set to keep no frames/],
  [
    "a hub that was started again",
    tells({ kind: "kept", since: NOON + 1, exchanges: [] }),
    /^The hub was started again/,
  ],
  ["a hub that has none of it", keeps(), /^The hub has no frames on the line of it/],
  ["a hub that could not be asked", { kind: "unknown", detail: "no hub" }, undefined],
])("why there are none is said of %s", (_name, said, detail) => {
  const told = whyNoFrames(said, NOON);
  if (detail) expect(told).toMatch(detail);
  else expect(told).toBeUndefined();
});
