import { describe, expect, test } from "vitest";
import { availabilityBy, onlyDevice } from "./discovery.fixture.ts";

const BRIDGE = { topic: "bridge/state" };
const OWN = { topic: "lamp/up", payload_available: "1", payload_not_available: "0" };

/** A device of entities with these options each. */
function deviceOf(...entities: readonly object[]) {
  const device = { identifiers: ["d"] };
  return onlyDevice(
    Object.fromEntries(
      entities.map((each, at) => [`switch/o${at}`, { command_topic: "x", state_topic: "s", device, ...each }]),
    ),
  );
}
const shown = (...entities: readonly object[]) => {
  const { availability, properties } = deviceOf(...entities);
  const own = properties.filter(({ state }) => state?.holds?.some(({ isForWrites }) => isForWrites));
  return [availability.mode, availability.topics.map(({ topic }) => topic), own.length];
};

describe("the availability of a device", () => {
  test.for<[string, readonly object[], unknown]>([
    ["none, where no entity says it", [{}, {}], ["latest", [], 0]],
    [
      "that of its only entity",
      [{ availability: [BRIDGE, OWN], availability_mode: "all" }],
      ["all", ["bridge/state", "lamp/up"], 0],
    ],
    [
      "the last word, where it says no more",
      [{ availability: [BRIDGE, OWN] }],
      ["latest", ["bridge/state", "lamp/up"], 0],
    ],
    ["none, where one of several says it for itself", [{}, { availability: BRIDGE }, {}], ["latest", [], 1]],
    ["none, where each says it for itself", [{ availability: BRIDGE }, { availability: OWN }], ["latest", [], 2]],
    [
      "that of most, where one says none",
      [{}, { availability: BRIDGE }, { availability: BRIDGE }],
      ["latest", ["bridge/state"], 0],
    ],
    [
      "that of most",
      [{ availability: OWN }, { availability: BRIDGE }, { availability: BRIDGE }],
      ["latest", ["bridge/state"], 1],
    ],
    [
      "what most have in common, where each says another",
      [1, 2, 3].map((each) => ({ availability: [BRIDGE, { topic: `own/${each}` }], availability_mode: "all" })),
      ["latest", ["bridge/state"], 3],
    ],
    [
      "the same for one topic in two spellings",
      [{ availability: [BRIDGE], availability_mode: "any" }, { availability_topic: "bridge/state" }],
      ["latest", ["bridge/state"], 0],
    ],
  ])("is %s", ([, entities, expected]) => {
    expect(shown(...entities)).toEqual(expected);
  });

  test("is read by its payloads; other words have no meaning", () => {
    const device = deviceOf({ availability: [BRIDGE, OWN] });
    const says = (topic: string, ...words: string[]) => words.map((word) => availabilityBy(device, topic, word));
    expect(says("bridge/state", "online", "offline", "Online", "")).toEqual([true, false, undefined, undefined]);
    expect(says("lamp/up", "1", "0", "online")).toEqual([true, false, undefined]);
  });

  test("is read by a template", () => {
    const device = deviceOf({ availability_topic: "up", availability_template: "{{ value_json.state }}" });
    expect(["online", "offline"].map((state) => availabilityBy(device, "up", JSON.stringify({ state })))).toEqual([
      true,
      false,
    ]);
  });

  test("by an invalid template reports nothing, and is a problem", () => {
    const device = deviceOf({
      availability: [BRIDGE, { ...OWN, value_template: "{% broken" }],
      availability_mode: "all",
    });
    expect(device.availability.topics.map(({ topic }) => topic)).toEqual(["bridge/state"]);
    expect(device.leftAside).toEqual({ badTemplate: 1 });
  });
});
