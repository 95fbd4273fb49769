import { expect, test } from "vitest";
import { withTargets } from "./broker-device.ts";
import type { MqttProperty } from "./mqtt-device.ts";

const POSITION = { service: "Cover", index: "1", property: "position" };
const TARGET = { ...POSITION, property: "target" };
const set = () => ({ topic: "set", payload: "" });
const state = { topic: "told", read: () => undefined };

function cover(given: Partial<MqttProperty>): MqttProperty {
  const description = { property: "position", type: "number", max: 90, access: ["read", "write", "notify"] } as const;
  return { address: POSITION, description, ...given };
}

const accessOf = (properties: readonly MqttProperty[]) =>
  properties.map(({ address, description, set: sets }) => [address.property, description.access.join(), sets === set]);

test("a position that can be set is a target to set and a position that is reported", () => {
  const both = withTargets([cover({ set, state })]);
  expect(accessOf(both)).toEqual([
    ["position", "read,notify", false],
    ["target", "write", true],
  ]);
  expect(both[1]).toMatchObject({ address: TARGET, isGoal: true, state, description: { max: 90, unit: "%" } });
});

test("a cover that does not say where it is has a target only, which nothing confirms", () => {
  const [target, ...rest] = withTargets([cover({ set })]);
  expect([target?.address.property, target?.isGoal, rest]).toEqual(["target", false, []]);
});

test("what cannot be set, and what is no cover, stays as it is", () => {
  const reported = cover({ state });
  const valve = cover({ set, state, address: { ...POSITION, service: "Valve" } });
  expect(withTargets([reported, valve])).toEqual([reported, valve]);
});

test("a target of the dialect's own is left alone", () => {
  const own = cover({ set, state, address: TARGET });
  expect(accessOf(withTargets([cover({ set, state }), own]))).toEqual([
    ["position", "read,notify", false],
    ["target", "read,write,notify", true],
  ]);
});
