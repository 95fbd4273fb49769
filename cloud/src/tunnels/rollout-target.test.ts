/** When an old node leaves the hubs that come to a younger one. */
import { expect, it } from "vitest";
import { rolloutTarget } from "./rollout-target.ts";

const MINUTE = 60_000;
const POLICY = { youngerByMs: 10 * MINUTE, rolloutMs: 10 * MINUTE };
const node = (id: string, minute: number) => ({ id, started_at: minute * MINUTE });
const OLD = node("old", 0);

it.each([
  ["a lone node takes its hubs", [OLD], 60, undefined],
  ["before the nodes were looked at, no hub is sent on", [], 60, undefined],
  ["nodes of one age each take their hubs", [OLD, node("twin", 9)], 12, undefined],
  ["a node that has just come has the hubs that come to an old one", [OLD, node("young", 60)], 61, "young"],
  ["the youngest of several has them", [node("young", 60), OLD, node("younger", 64), node("twin", 1)], 65, "younger"],
  ["ten minutes later each takes its own again", [OLD, node("young", 60)], 70, undefined],
  ["a young node sends no hub to an old one", [node("elder", -600), OLD], 1, undefined],
] as const)("%s", (_sentence, living, minute, expected) => {
  expect(rolloutTarget({ self: "old", living }, minute * MINUTE, POLICY)?.id).toBe(expected);
});

it("a rollout of no length sends no hub on", () => {
  const nodes = { self: "old", living: [OLD, node("young", 60)] };
  expect(rolloutTarget(nodes, 60 * MINUTE, { ...POLICY, rolloutMs: 0 })).toBeUndefined();
});
