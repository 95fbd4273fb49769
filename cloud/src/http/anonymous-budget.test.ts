import { describe, expect, it } from "vitest";
import { AnonymousBudget, UNMEASURED_MS } from "./anonymous-requests.ts";

const ofAll = { perSecond: 250, burst: 20 };
const ofAddress = { perSecond: 100, burst: 15 };
const PATIENCE = 250;

/** Asks as often as it is answered, each request costing so much, for a second. @returns ms of processor time that were used */
function flood(budget: AnonymousBudget, networks: readonly string[], costMs: number, from: number): number {
  let used = 0;
  for (let now = from; now < from + 1_000; now += 1) {
    for (const network of networks) {
      if (budget.admit(network, 0, now).kind === "refused") continue;
      budget.spend(network, costMs, now);
      used += costMs + UNMEASURED_MS;
    }
  }
  return used;
}

describe("the budget of anonymous requests", () => {
  it.each([0.01, 0.3, 4])("is a tenth of the thread for one address, whether a request costs %d ms or more", (cost) => {
    const budget = new AnonymousBudget({ ofAll, ofAddress });
    flood(budget, ["a"], cost, 0);
    const used = flood(budget, ["a"], cost, 1_000);
    expect(used).toBeGreaterThan(85);
    expect(used).toBeLessThan(100 + cost + 1);
  });

  it("is a quarter of the thread for all together, however many they are", () => {
    const budget = new AnonymousBudget({ ofAll, ofAddress });
    const many = Array.from({ length: 100 }, (_, n) => String(n));
    flood(budget, many, 1, 0);
    const used = flood(budget, many, 1, 1_000);
    expect(used).toBeGreaterThan(230);
    expect(used).toBeLessThan(253);
  });

  it("lets no more than its burst through at once", () => {
    const budget = new AnonymousBudget({ ofAll, ofAddress });
    const networks = Array.from({ length: 1_000 }, (_, n) => String(n));
    let used = 0;
    for (const network of networks) {
      if (budget.admit(network, PATIENCE, 0).kind !== "now") continue;
      budget.spend(network, 1, 0);
      used += 1;
    }
    expect(used).toBeLessThan(20);
  });

  it("has those that come together wait, one after the other, and refuses only past their patience", () => {
    const budget = new AnonymousBudget({ ofAll, ofAddress: { perSecond: 100, burst: UNMEASURED_MS } });
    const admissions = Array.from({ length: 200 }, () => budget.admit("a", PATIENCE, 0));
    const waits = admissions.flatMap((each) => (each.kind === "later" ? [each.waitMs] : []));
    expect(waits.slice(0, 3)).toEqual([expect.closeTo(1.5), expect.closeTo(3), expect.closeTo(4.5)]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(PATIENCE);
    expect(admissions.at(-1)).toEqual({ kind: "refused", retryAfter: 1 });
    expect(budget.admit("a", PATIENCE, 100).kind).toBe("later");
    expect(budget.admit("a", PATIENCE, 10_000).kind).toBe("now");
  });

  it("keeps places for requests that wait longer, and does not charge other addresses", () => {
    const budget = new AnonymousBudget({ ofAll: { perSecond: 250, burst: 20 }, ofAddress });
    while (budget.admit("a", PATIENCE, 0).kind !== "refused");
    expect(budget.admit("a", 2 * PATIENCE, 0).kind).toBe("later");
    expect(budget.admit("b", PATIENCE, 0).kind).not.toBe("refused");
  });

  it("states when to retry after an expensive request", () => {
    const budget = new AnonymousBudget({ ofAll, ofAddress });
    budget.admit("a", PATIENCE, 0);
    budget.spend("a", 500, 0);
    expect(budget.admit("b", PATIENCE, 0)).toEqual({ kind: "refused", retryAfter: 2 });
    expect(budget.admit("b", PATIENCE, 2_000).kind).toBe("now");
  });

  it("holds an address up for a moment only by what was made for the first time", () => {
    const budget = new AnonymousBudget({ ofAll, ofAddress });
    budget.admit("a", PATIENCE, 0);
    budget.spend("a", 70, 0);
    expect(budget.admit("a", PATIENCE, 0).kind).toBe("later");
    expect(budget.admit("a", PATIENCE, PATIENCE).kind).toBe("now");
  });
});
