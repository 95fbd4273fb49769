/** What is sent of a sink's form. */
import type { Sink } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { needsToken, type SinkDraft, sinkDraftOf, sinkUpdateOf } from "./sink-draft.ts";

const sink: Sink = {
  ...{ ecosystemId: "eco_1", url: "https://influx.example/write?db=home", measurementPrefix: "p_", enabled: true },
  ...{ hasToken: true, createdAt: "2026-11-21 12:00:00Z", behind: 0, refusedLines: 0, lostEvents: 0 },
};

test("a new sink has its URL, and no more than was filled in", () => {
  const draft = { ...sinkDraftOf(undefined), url: " https://influx.example/write " };
  expect(sinkUpdateOf(undefined, draft)).toEqual({ url: "https://influx.example/write" });
  expect(sinkUpdateOf(undefined, { ...draft, token: "t ", measurementPrefix: "p_" })).toMatchObject({
    ...{ token: "t", measurementPrefix: "p_" },
  });
});

test.each<[string, Partial<SinkDraft>, object]>([
  ["nothing", {}, {}],
  ["a new token", { token: "new" }, { token: "new" }],
  ["no token any more", { isTokenRemoved: true }, { token: null }],
  ["a token typed counts for more than its removal", { token: "new", isTokenRemoved: true }, { token: "new" }],
  ["no prefix any more", { measurementPrefix: "" }, { measurementPrefix: "" }],
])("of one that is there: %s", (_, change, expected) => {
  expect(sinkUpdateOf(sink, { ...sinkDraftOf(sink), ...change })).toEqual(expected);
});

test.each<[Partial<SinkDraft>, boolean]>([
  [{}, false],
  [{ url: "https://influx.example/write?db=other" }, false],
  [{ url: "https://other.example/write" }, true],
  [{ url: "http://influx.example/write" }, true],
  [{ url: "https://influx.example:8086/write" }, true],
  [{ url: "https://other.example/write", token: "new" }, false],
  [{ url: "https://other.example/write", isTokenRemoved: true }, false],
  [{ url: "no URL" }, false],
])("the token is asked for again: %j, %s", (change, expected) => {
  expect(needsToken(sink, { ...sinkDraftOf(sink), ...change })).toBe(expected);
  expect(needsToken({ ...sink, hasToken: false }, { ...sinkDraftOf(sink), ...change })).toBe(false);
});
