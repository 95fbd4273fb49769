import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { homeNetwork } from "./home-drivers.ts";

const deps = { clock: new VirtualClock(), random: seededRandom(1), log: silentLog };

test("all drivers have one browser, on the interface that the settings name", async () => {
  const network = homeNetwork("127.0.0.1", deps);
  const [first, second] = await Promise.all([network(), network()]);
  expect(first).toBe(second);
  expect(first?.place("127.0.0.1", 4000)).toEqual({ kind: "onLink", address: "127.0.0.1" });
});

test("an interface that is not there is none", async () => {
  const network = await homeNetwork("192.0.2.1", deps)();
  expect(network.place("192.0.2.2", 4000)).toBeUndefined();
});
