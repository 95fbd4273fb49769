/** Quotas: never passed, and seldom counted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quotaLimits } from "../config/quotas.ts";
import { cloudSettings } from "../config/settings.ts";
import type { Transaction } from "../store/index.ts";
import { leaveFor, Quotas } from "./quotas.ts";

/** One container, on a clock that stands still until it is moved. */
function world(limit: number) {
  const limits = quotaLimits({ ...cloudSettings.parse({}), maxUsersPerEcosystem: limit });
  const state = { there: 0, counts: 0, now: 0 };
  const tx = {
    ecosystemId: "eco_1",
    now: () => state.now,
    all: async () => {
      state.counts += 1;
      return [{ count: state.there }];
    },
  } as unknown as Transaction;
  const make = async (quotas: Quotas) => {
    await quotas.require(tx, "usersPerEcosystem", "eco_1");
    state.there += 1;
  };
  return { state, make, node: () => new Quotas(limits) };
}

describe("a quota", () => {
  it("admits exactly as many as its limit", async () => {
    const { state, make, node } = world(1_000);
    const quotas = node();
    for (let made = 0; made < 1_000; made++) await make(quotas);
    await expect(make(quotas)).rejects.toMatchObject({ name: "Quota Exceeded", status: 403 });
    expect(state.there).toBe(1_000);
    state.there -= 1;
    await make(quotas);
    await expect(make(quotas)).rejects.toMatchObject({ name: "Quota Exceeded" });
  });

  it("is seldom counted far from its limit", async () => {
    const { state, make, node } = world(100_000);
    const quotas = node();
    for (let made = 0; made < 50_000; made++) await make(quotas);
    expect(state.counts).toBeLessThan(20);
  });

  it("is never exceeded, regardless of creations and deletions in between", async () => {
    const turns = fc.array(fc.constantFrom("make", "make", "make", "delete", "wait"), {
      minLength: 400,
      maxLength: 600,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), turns, async (limit, steps) => {
        const { state, make, node } = world(limit);
        const quotas = node();
        for (const step of steps) {
          if (step === "make") {
            const free = state.there < limit;
            const made = await make(quotas).then(
              () => true,
              () => false,
            );
            expect(made).toBe(free);
          } else if (step === "delete") state.there = Math.max(0, state.there - 1);
          else state.now += 4_000;
        }
      }),
      { numRuns: 30 },
    );
  });

  it("is counted anew after ten seconds, for what other nodes have made", async () => {
    const { state, make, node } = world(1_000);
    const [here, elsewhere] = [node(), node()];
    await make(here);
    while (state.there < 1_000) await make(elsewhere);
    state.now += 10_000;
    await expect(make(here)).rejects.toMatchObject({ name: "Quota Exceeded" });
  });

  it.each([
    [1, 0],
    [16, 0],
    [32, 1],
    [160, 9],
  ])("with room for %i leaves %i uncounted", (room, leave) => {
    expect(leaveFor(room)).toBe(leave);
  });
});
