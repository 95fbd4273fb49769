import { expect, test } from "vitest";
import { DriverStoreFull, driverStore } from "./driver-store.ts";

test("what does not fit any more is refused by name, and what fits is kept", async () => {
  let result: "kept" | "full" = "kept";
  const store = driverStore({ get: async () => undefined, all: async () => new Map(), set: async () => result });
  await store.set("key", new Uint8Array(1));
  result = "full";
  await expect(store.set("key", new Uint8Array(2))).rejects.toBeInstanceOf(DriverStoreFull);
});
