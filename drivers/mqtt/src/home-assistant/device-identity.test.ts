import { derivedEdgeId } from "@porchlight/driver-kit";
import { describe, expect, test } from "vitest";
import { discovered, onlyDevice, SCOPE } from "./discovery.fixture.ts";

const relay = (device: unknown) => ({ command_topic: "set", device });
const edgeIdWith = (device: unknown) => onlyDevice({ "switch/n/o": relay(device) }).edgeId;
const derived = (id: string) => derivedEdgeId("mqtt", SCOPE, id);

describe("the identity of a device", () => {
  test.for([
    ["its MAC", { connections: [["mac", "02:c4:4f:00:00:01"]], identifiers: ["x"] }, "02-C4-4F-00-00-01"],
    ["its Zigbee address", { connections: [["zigbee", "0x00158d0001dc126a"]] }, "00-15-8D-00-01-DC-12-6A"],
    ["the address in its identifier", { identifiers: ["zigbee2mqtt_0x00158d0001dc126a"] }, "00-15-8D-00-01-DC-12-6A"],
    ["its identifier as an address", { identifiers: "0x00158D0001DC126A" }, "00-15-8D-00-01-DC-12-6A"],
    ["its identifier as twelve digits", { identifiers: ["ac0bfbd6e1b2"] }, "AC-0B-FB-D6-E1-B2"],
    ["the address at the end of its identifier", { identifiers: ["shellyplus1-AC0BFBD6E1B2"] }, "AC-0B-FB-D6-E1-B2"],
    ["its identifier as a written address", { identifiers: ["ble_AC:0B:FB:D6:E1:B2"] }, "AC-0B-FB-D6-E1-B2"],
    ["of several addresses the lowest", { identifiers: ["fc0bfbd6e1b2", "ac0bfbd6e1b2"] }, "AC-0B-FB-D6-E1-B2"],
    ["made of its first identifier", { identifiers: ["ems-esp-boiler", "aaa"] }, derived("ems-esp-boiler")],
    ["made of an identifier that is a number", { identifiers: 4711 }, derived("4711")],
    ["no serial number that looks like an address", { identifiers: ["202311240007"] }, derived("202311240007")],
    ["no address of a group", { identifiers: ["01005e0000fb"] }, derived("01005e0000fb")],
    ["no address of zeros", { connections: [["mac", "00:00:00:00:00:00"]], identifiers: ["z"] }, derived("z")],
    ["no end of a longer number", { identifiers: ["ffac0bfbd6e1b2"] }, derived("ffac0bfbd6e1b2")],
  ] as const)("is %s", ([, device, edgeId]) => {
    expect(edgeIdWith(device)).toBe(edgeId);
  });

  test("without a device block is the entity's own, and its name too", () => {
    const alone = (id: string) => ({ command_topic: "set", name: "Pump", unique_id: id });
    const devices = [
      ...discovered({ "switch/a": alone("1"), "switch/b": alone("2"), "switch/c": alone("1") }).devices.values(),
    ];
    expect(devices.map(({ about }) => about.name)).toEqual(["Pump", "Pump"]);
    expect(devices[0]?.edgeId).not.toBe(devices[1]?.edgeId);
  });

  test("is one where entities share an identifier or a connection, over any number of others", () => {
    const device = onlyDevice({
      "switch/a": relay({ identifiers: ["a", "b"] }),
      "switch/b": relay({ identifiers: ["c"], connections: [["mac", "AC:0B:FB:D6:E1:B2"]] }),
      "switch/c": relay({ identifiers: ["c", "b"] }),
    });
    expect([device.edgeId, device.properties.length]).toEqual(["AC-0B-FB-D6-E1-B2", 3]);
  });

  test("is one where different identifiers say the same address", () => {
    const device = onlyDevice({
      "switch/a": relay({ identifiers: ["zigbee2mqtt_0x00158d0001dc126a"] }),
      "switch/b": relay({ identifiers: ["0x00158d0001dc126a"] }),
    });
    expect(device.properties).toHaveLength(2);
  });
});

test("what a device says of itself is shown without control characters, and is not long", () => {
  const device = onlyDevice({
    "switch/a": relay({ identifiers: "a", name: "La\u001b[2Jmp\u202e", model: "x".repeat(100), manufacturer: " " }),
    "switch/b": relay({ identifiers: "a", name: "Other", manufacturer: "Maker", sw_version: 2.1, serial_number: "7" }),
  });
  expect(device.about).toEqual({
    name: "La[2Jmp",
    model: "x".repeat(64),
    manufacturer: "Maker",
    firmware: "2.1",
    serial: "7",
  });
});

test.for([
  ["a garage door", "cover", { device_class: "garage" }, true],
  ["a gate", "cover", { device_class: "gate" }, true],
  ["a blind", "cover", { device_class: "blind" }, false],
  ["a siren", "siren", {}, true],
] as const)("%s (%s %j) is sensitive: %j", ([, component, more, expected]) => {
  const device = onlyDevice({ [`${component}/o`]: { command_topic: "set", device: { identifiers: ["d"] }, ...more } });
  expect(device.isSensitive).toBe(expected);
});
