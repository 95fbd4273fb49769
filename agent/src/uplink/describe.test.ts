import { describe, expect, test } from "vitest";
import type { StoredDevice } from "../state/index.ts";
import { describeParts } from "./inventory.ts";

function stored(services: number, valuesEach = 0): StoredDevice {
  const values = Array.from({ length: valuesEach }, (_, place) => `value-${place}`);
  return {
    edgeId: "00-1B-44-11-3A-B7",
    description: Array.from({ length: services }, (_, index) => ({
      service: "Switch",
      index: String(index),
      properties: [{ property: "on", type: "string", values, access: ["read"] }],
    })),
    about: { manufacturer: "Acme" },
    digest: "d",
    arrival: 3,
    online: true,
    since: 0,
  };
}

describe("a description", () => {
  test("goes in one part when it can, also an empty one", () => {
    expect(describeParts(stored(3)).parts).toMatchObject([
      { part: 0, parts: 1, arrival: 3, about: { manufacturer: "Acme" } },
    ]);
    expect(describeParts(stored(0)).parts).toMatchObject([{ part: 0, parts: 1, services: [] }]);
  });

  test("is cut at 64 services, and each service is in one part", () => {
    const { parts } = describeParts(stored(65));
    expect(parts.map(({ part, parts, services }) => [part, parts, services.length])).toEqual([
      [0, 2, 64],
      [1, 2, 1],
    ]);
  });

  test("is cut under the limit of a message", () => {
    const { parts, left } = describeParts(stored(10, 100), 4000);
    expect(parts.length).toBeGreaterThan(3);
    for (const { services } of parts) expect(JSON.stringify(services).length).toBeLessThan(4100);
    expect(parts.flatMap(({ services }) => services)).toHaveLength(10);
    expect(left).toEqual([]);
  });

  test("loses a service that no message could hold, and says which", () => {
    const { parts, left } = describeParts(stored(2, 1000), 4000);
    expect(parts).toMatchObject([{ services: [] }]);
    expect(left.map(({ index }) => index)).toEqual(["0", "1"]);
  });
});
