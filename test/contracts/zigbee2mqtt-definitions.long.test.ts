/** Every model that zigbee2mqtt knows, described by its real converters in both of its ways, as a device of the hub. */
import type { DeviceSweep } from "@porchlight/driver-mqtt/device-sweep.fixture.ts";
import { sweepDiscovery } from "@porchlight/driver-mqtt/home-assistant/sweep.fixture.ts";
import { sweepDefinitions } from "@porchlight/driver-mqtt/zigbee2mqtt/sweep.fixture.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { discoveryDescriptions, ownDescription, preparedDefinitions } from "../parts/zigbee2mqtt/definitions.ts";

describe("each model that zigbee2mqtt knows", () => {
  let definitions: ReturnType<typeof preparedDefinitions> = [];
  beforeAll(() => {
    definitions = preparedDefinitions();
  });

  it("makes a valid device, and every writable property is confirmed by the state that zigbee2mqtt publishes for it", () => {
    expect(definitions.length).toBeGreaterThan(4000);
    const sweep = sweepDefinitions(definitions.map(ownDescription));
    const { devices, properties, standard, settable, confirmed, leftAside, wrong } = sweep;
    expect(wrong.slice(0, 20)).toEqual([]);
    expect([devices, confirmed]).toEqual([definitions.length, settable]);
    // What does not fit 64 properties of a service, and nothing else.
    expect(Object.keys(leftAside)).toEqual(["tooMany"]);
    const { tooMany = 0 } = leftAside;
    expect(settable / (settable + tooMany)).toBeGreaterThan(0.95);
    expect(standard / properties).toBeGreaterThan(0.48);
    print("its own description", sweep);
  });

  it("makes a valid device of its discovery for Home Assistant, and every writable property is confirmed", async () => {
    const described = await discoveryDescriptions(definitions);
    const sweep = sweepDiscovery(described);
    print("discovery", sweep);
    const { devices, properties, standard, settable, confirmed, leftAside, wrong } = sweep;
    expect(wrong.slice(0, 20)).toEqual([]);
    const { tooManyProperties = 0, withoutProperties = 0, ...others } = leftAside;
    expect([devices + withoutProperties, confirmed]).toEqual([
      described.filter((each) => each.length > 0).length,
      settable,
    ]);
    // Updates, infrared senders, an empty word among options, topics with a space: no template among them.
    expect(others).toEqual({ update: 1563, unknownComponent: 8, badOption: 1, badTopic: 3 });
    expect(settable / (settable + tooManyProperties)).toBeGreaterThan(0.95);
    expect(standard / properties).toBeGreaterThan(0.52);
  });
});

function print(by: string, { devices, properties, standard, settable, leftAside }: DeviceSweep): void {
  const aside = Object.entries(leftAside).map(([why, count]) => `${count} ${why}`);
  console.log(
    `By ${by}: ${devices} devices, ${properties} properties: ${standard} of standard classes, ${settable} can be set; left aside: ${aside.join(", ") || "none"}.`,
  );
}
