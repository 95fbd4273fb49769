/** Which ecosystem and environment are looked at. */
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { inEnvironment, pick, switchable } from "./scope.ts";

const eco = (id: string): Ecosystem => ({ id, meta: {}, createdAt: "2026-11-21 12:00:00Z" });
const env = (id: string, ecosystemId: string): Environment => ({ ...eco(id), ecosystemId });
const ecosystems = [eco("eco_a"), eco("eco_b"), eco("eco_c")];
const environments = [env("env_1", "eco_a"), env("env_2", "eco_a"), env("env_3", "eco_b")];

const ids = (asked: Partial<Parameters<typeof pick>[2]>) => {
  const all = { ecosystemId: undefined, environmentId: undefined, last: null, ...asked };
  const { ecosystem, environment } = pick(ecosystems, environments, all);
  return [ecosystem?.id, environment?.id];
};

test.each([
  ["no choice: the first", {}, ["eco_a", "env_1"]],
  ["the address names an environment", { environmentId: "env_3", last: "env_2" }, ["eco_b", "env_3"]],
  ["the last one is still there", { last: "env_2" }, ["eco_a", "env_2"]],
  ["the last one is gone", { last: "env_9" }, ["eco_a", "env_1"]],
  [
    "the address names another ecosystem than the last one's",
    { ecosystemId: "eco_b", last: "env_2" },
    ["eco_b", "env_3"],
  ],
  [
    "the address names an ecosystem without environments",
    { ecosystemId: "eco_c", last: "env_2" },
    ["eco_c", undefined],
  ],
])("%s", (_, asked, wanted) => {
  expect(ids(asked)).toEqual(wanted);
});

test.each([
  ["/environments/env_1/zones", "/environments/env_2/zones"],
  ["/environments/env_1/zones/zon_1", "/environments/env_2/zones"],
  ["/environments/env_1", "/environments/env_2/home"],
  ["/ecosystems/eco_a/users", "/environments/env_2/home"],
  ["/", "/environments/env_2/home"],
])("from %s another environment is gone to at %s", (path, there) => {
  expect(inEnvironment(path, "env_2")).toBe(there);
});

test("environments are found by name and by ID, and the rest of many is counted", () => {
  const named = environments.map((each, at) => ({ ...each, alias: `Home ${at}` }));
  const of = (text: string, most = 9) => {
    const { groups, rest } = switchable({ ecosystems, environments: named }, text, most);
    return [groups.map(({ ecosystem, items }) => [ecosystem.id, items.map(({ id }) => id)]), rest];
  };
  expect(of("")).toEqual([
    [
      ["eco_a", ["env_1", "env_2"]],
      ["eco_b", ["env_3"]],
    ],
    0,
  ]);
  expect(of("home 2")).toEqual([[["eco_b", ["env_3"]]], 0]);
  expect(of(" ENV_2 ")).toEqual([[["eco_a", ["env_2"]]], 0]);
  expect(of("", 1)).toEqual([[["eco_a", ["env_1"]]], 2]);
  expect(of("nothing")).toEqual([[], 0]);
});
