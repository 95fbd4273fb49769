/** Presses of buttons, which are reported as events. */
import { expect, test } from "vitest";
import { type Attributes, endpoint } from "../endpoint.fixture.ts";
import { buttons } from "./buttons.ts";

function property(stated: Attributes, name: string) {
  const all = buttons(endpoint(1, { clusters: { switch: stated } }), "1");
  return all.find(({ address }) => `${address.service}.${address.property}` === name);
}

const press = (features: readonly string[], event: string, payload: unknown) => {
  const source = property({ featureMap: features }, "Button.event")?.events?.find((each) => each.event === event);
  return source?.value(payload);
};
const MULTI = ["momentarySwitch", "momentarySwitchRelease", "momentarySwitchLongPress", "momentarySwitchMultiPress"];
test.for<[readonly string[], string, unknown, string | undefined]>([
  [["momentarySwitch"], "initialPress", { newPosition: 1 }, "press"],
  [["momentarySwitch", "momentarySwitchRelease"], "initialPress", {}, undefined],
  [["momentarySwitch", "momentarySwitchRelease"], "shortRelease", {}, "press"],
  [MULTI, "multiPressComplete", { totalNumberOfPressesCounted: 1 }, "press"],
  [MULTI, "multiPressComplete", { totalNumberOfPressesCounted: 2 }, "double"],
  [MULTI, "multiPressComplete", { totalNumberOfPressesCounted: 3 }, undefined],
  [MULTI, "longPress", {}, "long"],
  [MULTI, "longRelease", {}, "release"],
])("a press of %j: %s %j is %s", ([features, event, payload, value]) => {
  expect(press(features, event, payload)).toBe(value);
});

test("presses are counted where there are more than there are words for", () => {
  const counted = (multiPressMax: number) => property({ featureMap: MULTI, multiPressMax }, "Readings.presses");
  expect(counted(2)).toBe(undefined);
  expect(counted(18)?.description).toMatchObject({ min: 1, max: 18, access: ["notify"] });
  expect(counted(18)?.events?.[0]?.value({ totalNumberOfPressesCounted: 7 })).toBe(7);
});
