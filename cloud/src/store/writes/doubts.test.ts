import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { Doubts } from "./doubts.ts";

function doubts() {
  const clock = new VirtualClock();
  const told: string[] = [];
  return { clock, told, doubts: new Doubts(clock, (id) => told.push(id)) };
}

it("what was cached of an ecosystem in doubt is forgotten at once, and again when a transaction has its counter row", () => {
  const { told, doubts: of } = doubts();
  of.began(["eco_1", "eco_2"]);
  expect(told.splice(0)).toEqual(["eco_1", "eco_2"]);
  of.committed(["eco_2", "eco_3"]);
  expect(told.splice(0)).toEqual(["eco_2"]);
  of.committed(["eco_2"]);
  expect(told).toEqual([]);
});

it("where nobody writes, the doubt ends with any commit when the database has failed with nothing for ten seconds", async () => {
  const { clock, told, doubts: of } = doubts();
  of.began(["eco_1"]);
  await clock.advance(9000);
  of.failed();
  told.length = 0;
  await clock.advance(9999);
  of.committed([]);
  expect(told).toEqual([]);
  await clock.advance(1);
  of.committed([]);
  expect(told).toEqual(["eco_1"]);
  of.committed([]);
  expect(told).toHaveLength(1);
});
