/** What guards a secret guards it on all nodes together. */
import { NamedError } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type TwoNodes, twoNodes } from "../store/two-nodes.fixture.ts";
import { SharedLimit, sweepSharedLimits } from "./shared-limit.ts";

const RULE = { perSecond: 10 / 60, burst: 10 };
let nodes: TwoNodes;
let limits: SharedLimit[];
beforeEach(async () => {
  nodes = await twoNodes();
  limits = [nodes.one, nodes.other].map((store) => new SharedLimit({ store, clock: nodes.clock }, "password", RULE));
});
afterEach(() => nodes[Symbol.asyncDispose]());

const refusal = (retryAfter: number) => new NamedError("Rate Limit Exceeded", undefined, { retryAfter });
const taken = (limit: SharedLimit | undefined, key: string) =>
  limit?.take(key, refusal).then(
    () => "taken",
    (error: NamedError) => error.retryAfter,
  );
const admitted = (all: unknown[]) => all.filter((each) => each === "taken").length;

it("of many tries at once on two nodes as many are admitted as on one, and the others get the time to retry", async () => {
  const all = await Promise.all(Array.from({ length: 40 }, (_none, each) => taken(limits[each % 2], "a@example.com")));
  expect(admitted(all)).toBe(10);
  expect(new Set(all)).toEqual(new Set(["taken", 6]));
  expect(await taken(limits[0], "b@example.com")).toBe("taken");
  await nodes.clock.advance(6_000);
  expect([await taken(limits[1], "a@example.com"), await taken(limits[0], "a@example.com")]).toEqual(["taken", 6]);
});

it("what is given back may be taken again, on any node", async () => {
  for (let each = 0; each < 10; each++) await taken(limits[0], "a");
  expect(await taken(limits[1], "a")).toBe(6);
  await limits[0]?.giveBack("a");
  expect([await taken(limits[1], "a"), await taken(limits[1], "a")]).toEqual(["taken", 6]);
});

it("no caller is refused for longer than a bucket takes to fill, even after a clock was hours ahead", async () => {
  nodes.clock.jumpWall(7_200_000);
  for (let each = 0; each < 10; each++) await taken(limits[0], "a");
  nodes.clock.jumpWall(-7_200_000);
  expect(await taken(limits[1], "a")).toBe("taken");
});

it("buckets that are full again are forgotten", async () => {
  await taken(limits[0], "a");
  await nodes.clock.advance(6_000);
  await nodes.one.writeService(sweepSharedLimits);
  const { service } = nodes.one;
  expect(await service.query(service.build.selectFrom("shared_limits").select("key"))).toEqual([]);
});
