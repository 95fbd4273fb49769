/** Users in few words. */
import type { AccessEntry } from "@porchlight/shared/api";
import { expect, it } from "vitest";
import { accessInWords, isOwn, userKeyOf } from "./user-words.ts";

it("the account's own user is the one whose key is the account's ID, while it is logged in", () => {
  expect(isOwn({ key: "acc_1" }, { kind: "in", accountId: "acc_1" })).toBe(true);
  expect(isOwn({ key: "acc_2" }, { kind: "in", accountId: "acc_1" })).toBe(false);
  expect(isOwn({ key: "acc_1" }, { kind: "out" })).toBe(false);
});

it("a long key keeps both ends, and is cut between characters", () => {
  expect(userKeyOf({ key: "customer-17" })).toBe("customer-17");
  expect(userKeyOf({ key: "💡".repeat(60) })).toBe("💡".repeat(60));
  expect(userKeyOf({ key: "💡".repeat(61) })).toBe(`${"💡".repeat(36)}…${"💡".repeat(23)}`);
});

it("two environments are named, and more are counted", () => {
  const names = new Map([["env_1", "home"]]);
  const access = ["env_1", "env_2", "env_3", "env_4"].map(
    (environmentId): AccessEntry => ({ id: `acs_${environmentId}`, environmentId, createdAt: "2026-11-21 10:00:00Z" }),
  );
  expect(accessInWords(access.slice(0, 2), names)).toBe("home, env_2");
  expect(accessInWords(access, names)).toBe("home, env_2 and 2 more");
});
