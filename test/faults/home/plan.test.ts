/** A plan of faults: repeated by its seed, spread over its tracks, and over in time. */
import { expect, test } from "vitest";
import { KINDS, type PlanOptions, plan } from "./plan.ts";

const OPTIONS: PlanOptions = {
  seed: 7,
  lengthMs: 600_000,
  restMs: 4000,
  targets: {
    ...{ cloud: ["a", "b"], line: ["cloud"], hub: ["agent"], devices: ["lamp", "bridge"] },
    ...{ matter: ["shutter", "driver"], cable: ["shutter"] },
  },
  bridge: "bridge",
};

test("the same seed breaks the same at the same times, and another does not", () => {
  expect(plan(OPTIONS)).toEqual(plan(OPTIONS));
  expect(plan({ ...OPTIONS, seed: 8 })).not.toEqual(plan(OPTIONS));
});

test("what a track may hit does not move another track", () => {
  const more = plan({ ...OPTIONS, targets: { ...OPTIONS.targets, cloud: ["a"] } });
  const others = (faults: typeof more) => faults.filter(({ track }) => track !== "cloud");
  expect(others(more)).toEqual(others(plan(OPTIONS)));
});

test("a home without a Matter device has the same faults, and none of that", () => {
  const { matter, cable, ...targets } = OPTIONS.targets;
  expect([matter, cable]).toHaveLength(2);
  const others = plan(OPTIONS).filter(({ track }) => track !== "matter" && track !== "cable");
  expect(plan({ ...OPTIONS, targets })).toEqual(others);
});

test("every kind comes, one after another on each track, and all are over in time", () => {
  const faults = plan(OPTIONS);
  for (const [track, kinds] of Object.entries(KINDS)) {
    const own = faults.filter((fault) => fault.track === track);
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(Object.keys(kinds)));
    for (const [at, { at: begin }] of own.entries()) {
      const before = own[at - 1];
      if (before) expect(begin).toBeGreaterThanOrEqual(before.at + before.forMs + 200);
    }
  }
  expect(Math.max(...faults.map(({ at, forMs }) => at + forMs))).toBeLessThanOrEqual(OPTIONS.lengthMs);
  expect(faults.filter(({ name }) => name === "leave").every(({ target }) => target === "bridge")).toBe(true);
});
