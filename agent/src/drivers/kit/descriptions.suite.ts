/** What a driver describes is what a device can be: within the bounds of a description, and in the words of the catalogue. */
import { addressKey, isEdgeId, standardProperty } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import type { DriverUnderTest } from "./every-driver.suite.ts";

const MOST = 64;

export function descriptionsAreSound(start: () => Promise<DriverUnderTest>): void {
  test("describes devices within their bounds, and standard classes as the catalogue has them", async () => {
    await using one = await start();
    expect(one.host.arrivals.length).toBeGreaterThan(0);
    for (const { edgeId, description, transport } of one.host.arrivals) {
      expect([edgeId, isEdgeId(edgeId), transport === ""]).toEqual([edgeId, true, false]);
      expect(description.length).toBeLessThanOrEqual(MOST);
      const addresses = description.flatMap(({ service, index, properties }) =>
        properties.map(({ property }) => addressKey({ service, index, property })),
      );
      expect(addresses).toEqual([...new Set(addresses)]);
      for (const { service, properties } of description) {
        expect(properties.length).toBeLessThanOrEqual(MOST);
        for (const { property, type, unit, access } of properties) {
          const known = standardProperty(service, property);
          if (!known) continue;
          const about = `${service}.${property}`;
          expect([about, type, unit ?? known.unit]).toEqual([about, known.type, known.unit]);
          expect([about, access.filter((each) => !known.access.includes(each))]).toEqual([about, []]);
        }
      }
    }
  });

  test("gives a device the same name after its line was cut and mended", async () => {
    await using one = await start();
    const before = one.host.arrivals.map(({ edgeId }) => edgeId);
    one.cut();
    await one.settled();
    one.mend();
    await one.settled(one.host.told(`arrived ${one.device}`, 2));
    expect([...new Set(one.host.arrivals.map(({ edgeId }) => edgeId))]).toEqual([...new Set(before)]);
  });
}
