import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { Doubts } from "./doubts.ts";

function doubts() {
  const clock = new VirtualClock();
  const cleared: string[] = [];
  return { clock, cleared, doubts: new Doubts(clock, (id) => cleared.push(id)) };
}

it("what was cached of an ecosystem in doubt is forgotten at once, and again when a transaction has its counter row", () => {
  const { cleared, doubts: of } = doubts();
  of.began(["eco_1", "eco_2"]);
  expect(cleared.splice(0)).toEqual(["eco_1", "eco_2"]);
  of.committed(["eco_2", "eco_3"]);
  expect(cleared.splice(0)).toEqual(["eco_2"]);
  of.committed(["eco_2"]);
  expect(cleared).toEqual([]);
});

it("without writers, the doubt ends with any commit when the database has failed with nothing for ten seconds", async () => {
  const { clock, cleared, doubts: of } = doubts();
  of.began(["eco_1"]);
  await clock.advance(9000);
  of.failed();
  cleared.length = 0;
  await clock.advance(9999);
  of.committed([]);
  expect(cleared).toEqual([]);
  await clock.advance(1);
  of.committed([]);
  expect(cleared).toEqual(["eco_1"]);
  of.committed([]);
  expect(cleared).toHaveLength(1);
});
