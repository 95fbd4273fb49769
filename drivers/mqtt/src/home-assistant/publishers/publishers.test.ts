import { describe, expect, test } from "vitest";
import { availabilityBy, commandFor, described, onlyDevice, publicationFor, read } from "../discovery.fixture.ts";
import { FIRMWARE } from "./firmware.fixture.ts";
import { GATEWAYS } from "./gateways.fixture.ts";
import { RADIO_BRIDGES } from "./radio-bridges.fixture.ts";

const PUBLISHERS = { ...RADIO_BRIDGES, ...FIRMWARE, ...GATEWAYS };

describe.for(Object.entries(PUBLISHERS))("a device of %s", ([, publisher]) => {
  const device = onlyDevice(publisher.discovery);

  test("is described with its own identity, and all that it has", () => {
    expect(device.edgeId).toBe(publisher.edgeId);
    expect(device.about).toEqual(publisher.about);
    expect(described(device)).toEqual(publisher.properties);
    expect(Object.keys(device.leftAside).filter((reason) => reason.startsWith("bad"))).toEqual([]);
  });

  test.for([...publisher.says])("reports for %s by %j: %j", ([property, message, value]) => {
    expect(read(device, property, message)).toEqual(value);
  });

  test.for([...publisher.takes])("is set: %s %j on %s as %j", ([property, value, topic, command]) => {
    expect(publicationFor(device, property, value)?.topic).toBe(topic);
    expect(commandFor(device, property, value)).toEqual(command);
  });

  test.for([...publisher.isThere])("is there by %s saying %s: %s", ([topic, message, isThere]) => {
    expect(availabilityBy(device, topic, message)).toBe(isThere);
  });
});
