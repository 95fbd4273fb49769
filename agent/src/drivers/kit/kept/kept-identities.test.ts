import { expect, test } from "vitest";
import type { DriverStore } from "./driver-store.ts";
import { KeptIdentities } from "./kept-identities.ts";

const [DERIVED, MAC] = ["02-15-8D-00-00-00-00-01", "AC-0B-FB-D6-E1-B2"];

function memoryStore(): DriverStore & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    get: async (key) => kept.get(key),
    all: async (prefix) => new Map([...kept].filter(([key]) => key.startsWith(prefix))),
    set: async (key, value) => void (value ? kept.set(key, value) : kept.delete(key)),
  };
}

test("what was told once is told for ever, also after a restart", async () => {
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
  const store = memoryStore();
  store.kept.set("identity heater", Buffer.from("nonsense"));
  const identities = new KeptIdentities(store);
  await identities.load();
  expect(identities.edgeIdOf("heater", MAC)).toBe(MAC);
});
