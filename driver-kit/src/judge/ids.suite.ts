/** Group 2: a device is known by its edgeId, for ever and alone. */
import { isEdgeId } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import type { JudgeOptions, OpenWorld } from "./world.suite.ts";

/** Beside the first, where the world has more. */
const CROWD = 10;

export function judgeIds(open: OpenWorld, options: JudgeOptions): void {
  const begin = () => Trial.begin(open, { ...options, crowd: options.without?.crowd === undefined ? CROWD : 0 });

  test("gives each device an EUI-48 or EUI-64 of a single device, and no two the same", async () => {
    await using one = await begin();
    const given = one.host.arrivals.map(({ edgeId }) => edgeId);
    expect(given.filter((edgeId) => !isEdgeId(edgeId) || isOfGroup(edgeId))).toEqual([]);
    expect(given.toSorted()).toEqual(one.edgeIds.toSorted());
  });

  test("knows its devices by the same ids, with the same descriptions, after it was started again", async () => {
    await using one = await begin();
    const before = new Map(one.host.arrivals.map(({ edgeId, description }) => [edgeId, description]));
    await one.end();
    expect(one.host.live.size).toBe(0);
    one.host.arrivals.length = 0;
    await one.again();
    expect(new Map(one.host.arrivals.map(({ edgeId, description }) => [edgeId, description]))).toEqual(before);
  });
}

/** The bit that says that it names many: IEEE 802, the lowest one of the first octet. */
function isOfGroup(edgeId: string): boolean {
  return (Number.parseInt(edgeId.slice(0, 2), 16) & 1) === 1;
}
