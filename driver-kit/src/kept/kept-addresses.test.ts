import { expect, test } from "vitest";
import { DeviceAddresses } from "./kept-addresses.ts";
import { memoryStore } from "./memory-store.fixture.ts";

const relay = (id: string) => ({ id, properties: [{ service: "Switch", property: "on" }] });
const never = (failure: unknown) => {
  throw failure;
};

async function loaded(store = memoryStore(), failed: (failure: unknown) => void = never) {
  const addresses = new DeviceAddresses(store, failed);
  await addresses.load();
  return addresses;
}

test("a thing that the device calls otherwise keeps its address, also after a restart", async () => {
  const store = memoryStore();
  const before = await loaded(store);
  before.place("d", [relay("a"), relay("b")]);
  before.rename("d", "b", "pump");
  const after = await loaded(store);
  expect([after.has("d"), after.has("other"), after.idsOf("d").toSorted()]).toEqual([true, false, ["a", "pump"]]);
  expect(after.place("d", [relay("pump")])[0]?.addresses[0]?.index).toBe("1");
});

test("the addresses of at most 8000 devices are kept, those of the first ones", async () => {
  const entries = new Map<string, Uint8Array>();
  let failures = 0;
  const addresses = await loaded(memoryStore(entries), () => {
    failures += 1;
  });
  for (let device = 0; device < 8001; device += 1) addresses.place(`${device}`, [relay("a")]);
  expect([entries.size, failures, addresses.has("0"), addresses.has("8000")]).toEqual([8000, 1, true, false]);
});
