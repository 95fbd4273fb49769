import { describe, expect, it } from "vitest";
import { decideAnswer, decideIssue, decidePoll, type PairingState } from "./pairings.ts";

const NOW = 1_000_000;
const standing = (change: Partial<PairingState> = {}): PairingState => ({
  state: "pending",
  intervalMs: 5_000,
  polledAt: null,
  expiresAt: NOW + 600_000,
  issuedEpoch: null,
  ...change,
});

describe("a poll", () => {
  it.each([
    ["the first one is never too early", {}, { kind: "pending" }],
    ["after the interval it is in time", { polledAt: NOW - 5_000 }, { kind: "pending" }],
    ["before it, five seconds more from now on", { polledAt: NOW - 4_999 }, slower(10_000, 5_001)],
    ["also when approved", { state: "approved", polledAt: NOW - 1_000 }, slower(10_000, 9_000)],
    ["up to a minute", { intervalMs: 58_000, polledAt: NOW }, slower(60_000, 60_000)],
    ["and a longer interval stays as it is", { intervalMs: 90_000, polledAt: NOW }, slower(90_000, 90_000)],
    ["a clock that was set back delays no poll", { polledAt: NOW + 3_600_000 }, { kind: "pending" }],
    ["an approved one is answered", { state: "approved" }, { kind: "approved" }],
    ["a denied one is answered, however early it polls", { state: "denied", polledAt: NOW }, { kind: "denied" }],
    ["and however late", { state: "denied", expiresAt: 0 }, { kind: "denied" }],
    ["at its end it has expired", { expiresAt: NOW }, { kind: "expired" }],
    ["approved or not", { state: "approved", expiresAt: NOW }, { kind: "expired" }],
    ["rather than too early", { expiresAt: NOW, polledAt: NOW }, { kind: "expired" }],
  ] as const)("%s", (_title, change, decision) => {
    expect(decidePoll(standing(change), NOW)).toEqual(decision);
  });

  function slower(intervalMs: number, waitMs: number) {
    return { kind: "slow_down", intervalMs, waitMs };
  }
});

describe("a token", () => {
  it.each([
    ["is issued", null, 7, "issue"],
    ["is issued anew while the hub has not used it", 7, 7, "issue"],
    ["is not issued once the hub has used it", 7, 8, "spent"],
    ["is not issued to a client that is gone", null, undefined, "withdrawn"],
  ] as const)("%s", (_title, issuedEpoch, epoch, decision) => {
    expect(decideIssue({ issuedEpoch }, epoch)).toBe(decision);
  });
});

describe("an answer", () => {
  it.each([
    ["is taken while the code lives", {}, "open"],
    ["is not taken after it", { expiresAt: NOW }, "expired"],
    ["is taken once", { state: "approved" }, "spent"],
    ["whichever it was", { state: "denied" }, "spent"],
  ] as const)("%s", (_title, change, decision) => {
    expect(decideAnswer(standing(change), NOW)).toBe(decision);
  });
});
