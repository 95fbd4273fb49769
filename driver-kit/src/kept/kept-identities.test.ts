import { expect, test } from "vitest";
import { KeptIdentities } from "./edge-ids.ts";
import { memoryStore } from "./memory-store.fixture.ts";

const [DERIVED, MAC] = ["02-15-8D-00-00-00-00-01", "AC-0B-FB-D6-E1-B2"];

test("an announced edgeId stays the same for ever, also after a restart", async () => {
  const store = memoryStore();
  const first = new KeptIdentities(store);
  await first.load();
  expect(first.edgeIdOf("heater", DERIVED)).toBe(DERIVED);
  await first.keep("heater", DERIVED);
  expect(first.edgeIdOf("heater", MAC)).toBe(DERIVED);
  await first.keep("heater", MAC);
  const second = new KeptIdentities(store);
  await second.load();
  expect([second.edgeIdOf("heater", MAC), second.edgeIdOf("pump", MAC)]).toEqual([DERIVED, MAC]);
});

test("what is no edgeId in the store is as absent", async () => {
  const store = memoryStore(new Map([["identity heater", Buffer.from("nonsense")]]));
  const identities = new KeptIdentities(store);
  await identities.load();
  expect(identities.edgeIdOf("heater", MAC)).toBe(MAC);
});
