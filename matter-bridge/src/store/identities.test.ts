/** What a controller knows a device by: kept over restarts, and never given twice. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Identities, IdentitiesUnusable } from "./identities.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-identities-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (seed = 1) => Identities.open(folder, seededRandom(seed));
const TWO = ["light:0", "light:1"];

test("a device has the same number and unique ID after a restart, and so have its parts", () => {
  const before = open();
  const lamp = before.of("dev_lamp", []);
  const gangs = before.of("dev_gangs", TWO);
  expect([lamp.number, gangs.number, [...gangs.parts.values()]]).toEqual([2, 3, [4, 5]]);
  expect(lamp.uniqueId).not.toBe(gangs.uniqueId);
  const after = open(2);
  expect(after.of("dev_gangs", TWO)).toEqual(gangs);
  expect(after.of("dev_lamp", [])).toEqual(lamp);
});

test("a part that a device did not have before gets a number that nothing has had, and the others keep theirs", () => {
  const identities = open();
  const before = identities.of("dev_gangs", TWO);
  identities.of("dev_lamp", []);
  const after = identities.of("dev_gangs", [...TWO, "light:2"]);
  expect([...after.parts]).toEqual([...before.parts, ["light:2", 6]]);
  expect([after.number, after.uniqueId]).toEqual([before.number, before.uniqueId]);
  // One that comes back is what it was.
  expect(identities.of("dev_gangs", ["light:0"])).toEqual(after);
});

test("the devices of another owner are others, and have no number of before", () => {
  const identities = open();
  identities.moveTo("eco_1");
  const mine = identities.of("dev_lamp", []);
  identities.moveTo("eco_2");
  const theirs = open(2).of("dev_lamp", []);
  expect(theirs.number).toBeGreaterThan(mine.number);
  expect(theirs.uniqueId).not.toBe(mine.uniqueId);
  expect(open().home).toBe("eco_2");
});

test("what is damaged is not taken for a new beginning: controllers would lose every device", () => {
  open().of("dev_lamp", []);
  const path = join(folder, "identities.json");
  writeFileSync(path, readFileSync(path, "utf8").slice(0, 20));
  expect(() => open()).toThrow(IdentitiesUnusable);
});
