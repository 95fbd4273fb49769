/** A driver whose code is loaded first: until then it has no devices. For those that most hubs do not have. */
import { notApplied, type StatedDriver } from "@porchlight/driver-kit";
import type { Log } from "@porchlight/shared/kernel";

const NOT_YET = notApplied("The device's driver is not running.");

/** @param load makes it; what it throws is shown, and the driver stays without devices */
export function lateDriver(name: string, load: () => Promise<StatedDriver>, log: Log): StatedDriver {
  let inner: StatedDriver | undefined;
  let failure: string | undefined;
  const loading = load().then(
    (driver) => {
      inner = driver;
    },
    (thrown: unknown) => {
      failure = thrown instanceof Error ? thrown.message : String(thrown);
      log.error({ driver: name, failure }, "a driver cannot be loaded");
    },
  );
  return {
    name,
    has: (edgeId) => inner?.has(edgeId) ?? false,
    read: async (...asked) => (await inner?.read(...asked)) ?? NOT_YET,
    write: async (...asked) => (await inner?.write(...asked)) ?? NOT_YET,
    yield: (edgeIds) => inner?.yield?.(edgeIds),
    found: () => inner?.found?.() ?? [],
    unpaired: () => inner?.unpaired?.() ?? [],
    problem: () => inner?.problem?.() ?? failure,
    setups: () => inner?.setups?.() ?? [],
    setup: async (kind, talk) => await inner?.setup?.(kind, talk),
    status: () => inner?.status?.() ?? { driver: failure === undefined ? "starting" : "stopped", restarts: 0, failure },
    async [Symbol.asyncDispose]() {
      await loading;
      await inner?.[Symbol.asyncDispose]();
    },
  };
}
