/** Which revocations make a stream look anew at who follows it. */
import type { Id } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import type { Caller, Revocation } from "../access/index.ts";
import { concerns } from "./snapshot.ts";

const scope = { ecosystemId: "eco_1", environmentId: undefined, types: ["*"] };
const account: Caller = {
  ...{ kind: "account", tokenId: "tok_1" as Id<"tok">, accountId: "acc_1" as Id<"acc"> },
  ecosystemIds: ["eco_1", "eco_2"],
};
const server: Caller = {
  ...{ kind: "server", tokenId: "tok_2" as Id<"tok">, serverId: "srv_1" as Id<"srv"> },
  ecosystemId: "eco_1",
};
const user: Caller = {
  ...{ kind: "user", tokenId: "tok_3" as Id<"tok">, userId: "usr_1" as Id<"usr">, ecosystemId: "eco_1" },
  environmentIds: new Set(["env_1"]),
};

const token = (tokenId: string): Revocation => ({ kind: "token", tokenId, subjectId: "" });
const of = (kind: "subject" | "access" | "environment" | "ecosystem", subjectId: string): Revocation => ({
  kind,
  subjectId,
});

test.each([
  ["its own token", account, token("tok_1"), true],
  ["another token", account, token("tok_2"), false],
  ["all tokens of its account", account, of("subject", "acc_1"), true],
  ["all tokens of its server", server, of("subject", "srv_1"), true],
  ["all tokens of another server", server, of("subject", "srv_2"), false],
  ["the access of its user", user, of("access", "usr_1"), true],
  ["the access of another user", user, of("access", "usr_2"), false],
  ["an environment that its user sees", user, of("environment", "env_1"), true],
  ["an environment that its user does not see", user, of("environment", "env_2"), false],
  ["an environment of a server's ecosystem, which sees all", server, of("environment", "env_1"), false],
  ["its ecosystem", server, of("ecosystem", "eco_1"), true],
  ["another ecosystem of its account", account, of("ecosystem", "eco_2"), false],
] as const)("the end of %s makes a stream look who follows it, or not", (_what, caller, revocation, is) => {
  expect(concerns(scope, caller, revocation)).toBe(is);
});

test("a stream of one environment is checked when that ends, for every caller", () => {
  expect(concerns({ ...scope, environmentId: "env_1" }, account, of("environment", "env_1"))).toBe(true);
});
