/** Which frames on the line are listed for a command and for a value, and the reason where there are none. */
import type { KeptExchange, KeptFrames } from "@porchlight/shared/model";
import { describe, expect, it } from "vitest";
import { framesOfCommand, framesOfValue, type JournalAnswer, whyNoFrames } from "./shown-command.ts";

const NOON = 1_795_262_400_000;
const answerWith = (line: KeptFrames | undefined): JournalAnswer => ({
  kind: "answered",
  journal: { isCut: false, items: [], ...(line && { line }) },
});
const keeps = (...exchanges: KeptExchange[]) => answerWith({ kind: "kept", since: NOON, exchanges });
const exchange = (kind: KeptExchange["kind"], at: number, says: string, more: Partial<KeptExchange> = {}) => ({
  ...{ kind, value: false, ...more },
  frames: [{ at, direction: "from_device" as const, bytes: 2, hex: "c0c0", says }],
});
const says = (frames: readonly { readonly says: string }[] | undefined) => frames?.map((frame) => frame.says);

describe("of a command", () => {
  it("all its tries are listed in their order, under any sequence number, and no others", () => {
    const of = (command: string) => ({ command });
    const answer = keeps(
      exchange("write", NOON + 300, "again", of("cmd_1")),
      exchange("write", NOON + 200, "another", of("cmd_2")),
      exchange("write", NOON + 100, "first", of("cmd_1")),
    );
    const frames = framesOfCommand(answer, "cmd_1");
    expect(says(frames)).toEqual(["first", "again"]);
    expect(frames?.map(({ afterMs }) => afterMs)).toEqual([0, 200]);
    expect(framesOfCommand(answer, "cmd_3")).toBeUndefined();
  });
});

describe("of a value", () => {
  const value = { value: false, changedAt: NOON };

  it("the frames that brought it are listed: of its kind, equal, and nearest to the change", () => {
    const answer = keeps(
      exchange("report", NOON + 60_000, "later"),
      exchange("report", NOON, "another value", { value: true }),
      exchange("read", NOON, "a reading"),
      exchange("report", NOON + 3, "it"),
      exchange("report", NOON - 900, "before"),
    );
    expect(says(framesOfValue(answer, "report", value))).toEqual(["it"]);
    expect(says(framesOfValue(answer, "read", value))).toEqual(["a reading"]);
  });

  it("frames that are far from it, or that do not contain it, are left out", () => {
    expect(framesOfValue(keeps(exchange("report", NOON + 60_000, "later")), "report", value)).toBeUndefined();
    expect(
      framesOfValue(keeps(exchange("read", NOON, "no answer", { value: undefined })), "read", value),
    ).toBeUndefined();
    expect(framesOfValue({ kind: "unknown", detail: "no hub" }, "report", value)).toBeUndefined();
  });
});

it.each<[string, JournalAnswer, RegExp | undefined]>([
  ["an agent that is too old", answerWith(undefined), /^The agent on the hub is too old to keep the frames/],
  ["a hub that keeps none", answerWith({ kind: "off" }), /^The hub is set to keep no frames/],
  [
    "a hub that was started again",
    answerWith({ kind: "kept", since: NOON + 1, exchanges: [] }),
    /^The hub was started again/,
  ],
  ["a hub that has none of it", keeps(), /^The hub has no frames on the line of it/],
  ["a hub that could not be asked", { kind: "unknown", detail: "no hub" }, undefined],
])("an answer states why there are none: %s", (_name, answer, detail) => {
  const reason = whyNoFrames(answer, NOON);
  if (detail) expect(reason).toMatch(detail);
  else expect(reason).toBeUndefined();
});
