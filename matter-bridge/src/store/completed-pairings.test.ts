import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CompletedPairings } from "./completed-pairings.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-pairings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a pairing that was cut off is unfinished after the next start, one that was completed is not", () => {
  CompletedPairings.open(folder, []).are(["1:a"]);
  expect(CompletedPairings.open(folder, ["1:a", "2:b"]).unfinished(["1:a", "2:b"])).toEqual(["2:b"]);
});

it("the first pairing of all is unfinished when it was cut off", () => {
  CompletedPairings.open(folder, []);
  expect(CompletedPairings.open(folder, ["1:a"]).unfinished(["1:a"])).toEqual(["1:a"]);
});

it("what has left is forgotten", () => {
  CompletedPairings.open(folder, []).are(["1:a", "2:b"]);
  CompletedPairings.open(folder, ["1:a", "2:b"]).are(["2:b"]);
  expect(CompletedPairings.open(folder, ["2:b"]).unfinished(["1:a", "2:b"])).toEqual(["1:a"]);
});

it.each(["", "{", "[]", '{"version":2}'])("nobody is sent away because the file is damaged (%j)", (text) => {
  writeFileSync(join(folder, "pairings.json"), text);
  expect(CompletedPairings.open(folder, ["1:a"]).unfinished(["1:a"])).toEqual([]);
  expect(CompletedPairings.open(folder, ["1:a", "2:b"]).unfinished(["1:a", "2:b"])).toEqual(["2:b"]);
});
