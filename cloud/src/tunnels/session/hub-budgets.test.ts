import { describe, expect, it } from "vitest";
import { type BudgetRule, HubBudgets, type Spending } from "./hub-budgets.ts";

const RULE: BudgetRule = { perSecond: { messages: 10, bytes: 1_000, records: 100 }, burstSeconds: 2, perEcosystem: 4 };
const NOTHING: Spending = { messages: 0, bytes: 0, records: 0 };
const hub = (clientId: string, ecosystemId = "eco_1") => ({ clientId, ecosystemId });

describe("a hub's budget", () => {
  it.each<[keyof Spending, number, number]>([
    ["messages", 20, 10],
    ["bytes", 2_000, 1_000],
    ["records", 200, 100],
  ])(
    "lets two seconds' worth of %s through at once, and then says when what is owed has flowed in",
    (kind, burst, rate) => {
      const budgets = new HubBudgets(RULE);
      const spend = (now: number, spent: Spending) => budgets.spend(hub("cli_1"), now, spent);
      expect(spend(0, { ...NOTHING, [kind]: burst })).toBe(0);
      expect(spend(0, { ...NOTHING, [kind]: rate / 2 })).toBe(500);
      expect(spend(400, NOTHING)).toBeCloseTo(100);
      expect(spend(500, NOTHING)).toBeCloseTo(0);
    },
  );

  it("never holds more than its burst, however long the hub was quiet", () => {
    const budgets = new HubBudgets(RULE);
    budgets.spend(hub("cli_1"), 0, { ...NOTHING, messages: 1 });
    expect(budgets.spend(hub("cli_1"), 1e9, { ...NOTHING, messages: 21 })).toBeCloseTo(100);
  });

  it("is its own", () => {
    const budgets = new HubBudgets(RULE);
    budgets.spend(hub("cli_1"), 0, { ...NOTHING, records: 250 });
    expect(budgets.spend(hub("cli_1"), 0, NOTHING)).toBe(500);
    expect(budgets.spend(hub("cli_2"), 0, NOTHING)).toBe(0);
  });

  it("is forgotten once all of it has flowed in again, and not before", () => {
    const budgets = new HubBudgets(RULE);
    budgets.spend(hub("cli_1"), 0, { ...NOTHING, messages: 20, records: 1 });
    budgets.spend(hub("cli_2"), 0, { ...NOTHING, records: 250 });
    budgets.forgetFull(1_999);
    expect(budgets.size).toBe(2);
    budgets.forgetFull(2_000);
    expect(budgets.size).toBe(1);
    // What is owed is owed: 250 at a hundred a second, of which two hundred were there.
    expect(budgets.spend(hub("cli_2"), 2_000, { ...NOTHING, records: 200 })).toBeCloseTo(500);
    budgets.forgetFull(1e9);
    expect(budgets.size).toBe(0);
  });
});

describe("an ecosystem's budget", () => {
  it("is four hubs' worth, and no other ecosystem's", () => {
    const budgets = new HubBudgets(RULE);
    const spend = (clientId: string, ecosystemId?: string) =>
      budgets.spend(hub(clientId, ecosystemId), 0, { ...NOTHING, records: 200 });
    expect([1, 2, 3, 4].map((n) => spend(`cli_${n}`))).toEqual([0, 0, 0, 0]);
    expect(spend("cli_5")).toBe(500);
    expect(spend("cli_6", "eco_2")).toBe(0);
  });
});
