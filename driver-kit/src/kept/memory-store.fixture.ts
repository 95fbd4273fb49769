/** A driver's store in memory, which the test can look into, and which outlives a driver. */
import type { DriverStore } from "./driver-store.ts";

export function memoryStore(kept = new Map<string, Uint8Array>()): DriverStore {
  return {
    get: async (key) => kept.get(key),
    all: async (prefix) => new Map([...kept].filter(([key]) => key.startsWith(prefix))),
    set: async (key, value) => {
      if (value) kept.set(key, value);
      else kept.delete(key);
    },
  };
}
