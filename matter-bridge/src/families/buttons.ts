/** `Button` as Switch: each value of the hub is a completed gesture, sent as the full sequence of Matter events for it. */
import type { DescribedProperty, Value } from "@porchlight/shared/model";
import { DEVICE_TYPES, type Happening, type Part, type ShownCluster, type Unclaimed } from "../parts/part.ts";

const WORDS = ["press", "release", "double", "long"];
const DOWN = { newPosition: 1 };
const UP = { previousPosition: 1 };

export function buttons(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Button").flatMap((index) => {
    const event = unclaimed.look("Button", index, "event");
    if (!event) return [];
    unclaimed.claim(event);
    const clusters = [buttonCluster(event)];
    return [{ key: `button:${index}`, type: DEVICE_TYPES.genericSwitch, hasGroups: false, clusters }];
  });
}

function buttonCluster(event: DescribedProperty): ShownCluster {
  const words = (event.description.values ?? WORDS).map(String);
  const isMulti = words.includes("double");
  const isLong = words.includes("long");
  return {
    cluster: "switch",
    features: [
      ...["MomentarySwitch", "MomentarySwitchRelease"],
      ...(isLong ? ["MomentarySwitchLongPress"] : []),
      ...(isMulti ? ["MomentarySwitchMultiPress"] : []),
    ],
    attributes: () => ({ numberOfPositions: 2, currentPosition: 0, ...(isMulti && { multiPressMax: 2 }) }),
    happenings: (key, value) => (key === event.key ? gesture(value, isMulti) : []),
  };
}

function gesture(word: Value, isMulti: boolean): Happening[] {
  const complete = (totalNumberOfPressesCounted: number): Happening[] =>
    isMulti ? [{ event: "multiPressComplete", data: { ...UP, totalNumberOfPressesCounted } }] : [];
  const down: Happening = { event: "initialPress", data: DOWN };
  const up: Happening = { event: "shortRelease", data: UP };
  switch (word) {
    case "press":
      return [down, up, ...complete(1)];
    case "double": {
      const again: Happening = { event: "multiPressOngoing", data: { ...DOWN, currentNumberOfPressesCounted: 2 } };
      return [down, up, down, again, up, ...complete(2)];
    }
    case "long":
      return [down, { event: "longPress", data: DOWN }, { event: "longRelease", data: UP }];
    default:
      // The press has already been sent as a completed gesture.
      return [];
  }
}
