import { expect, test } from "vitest";
import { described, deviceWith, publicationFor } from "./discovery.fixture.ts";

test("commands go out with the quality and the retention that are asked for", () => {
  const device = deviceWith("switch", { command_topic: "c", qos: "2", retain: "true" });
  expect(publicationFor(device, "Switch.on", true)).toEqual({ topic: "c", payload: "ON", qos: 2, retain: true });
  expect(publicationFor(deviceWith("switch", { command_topic: "c" }), "Switch.on", true)).toEqual({
    topic: "c",
    payload: "ON",
    qos: 0,
    retain: false,
  });
});

test.for(["a/+/b", "#", "$SYS/broker", "$share/g/t", "a\0b", "", "x".repeat(1025)])(
  "a property on the topic %j has no topic",
  (topic) => {
    const device = deviceWith("switch", { command_topic: "c", state_topic: topic });
    expect(described(device)).toEqual({ "Switch:0.on": "w" });
  },
);
