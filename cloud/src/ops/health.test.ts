import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import type { Store } from "../store/index.ts";
import { Health } from "./health.ts";

/** A store of which only that is asked. */
const storeThat = (all: () => Promise<unknown[]>, outage?: { work: string }): Store =>
  ({ service: { all }, outage }) as unknown as Store;

it("a service that stops reports that before any other fault", async () => {
  const store = storeThat(async () => [], { work: "writes" });
  const health = new Health({ store, clock: new VirtualClock(), checks: [() => "The node has lost its lease."] });
  health.stopping();
  expect(await health.problem()).toBe("The service is stopping.");
});

it("a store that refuses changes is reported, although it answers reads", async () => {
  const health = new Health({ store: storeThat(async () => [], { work: "writes" }), clock: new VirtualClock() });
  expect(await health.problem()).toBe("The database accepts no changes.");
});

it("what else has to be so is named, the first that is not", async () => {
  const checks = [() => undefined, () => "The node has lost its lease.", () => "The bus is not connected."];
  const health = new Health({ store: storeThat(async () => []), clock: new VirtualClock(), checks });
  expect(await health.problem()).toBe("The node has lost its lease.");
});

it("a store that does not answer is queried once for all callers, and no caller waits for long", async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const { promise: silence, resolve } = Promise.withResolvers<unknown[]>();
  const store = storeThat(() => {
    asked += 1;
    return silence;
  });
  const health = new Health({ store, clock });
  const answers = [health.problem(), health.problem(), health.problem()];
  await clock.advance(2000);
  expect(await Promise.all(answers)).toEqual(Array(3).fill("The database does not answer."));
  expect(asked).toBe(1);
  resolve([]);
  expect(await health.problem()).toBeUndefined();
});

it("a store that refuses is one that does not answer", async () => {
  const store = storeThat(() => Promise.reject(new Error("refused")));
  expect(await new Health({ store, clock: new VirtualClock() }).problem()).toBe("The database does not answer.");
});
