import { isEdgeId } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { derivedEdgeId, edgeIdOfEui } from "./edge-ids.ts";

describe("a derived edgeId", () => {
  test("is the same for the same device, for ever", () => {
    // Written down by hand from `printf 'mqtt\0homeassistant\0ems-esp' | sha256sum`.
    expect(derivedEdgeId("mqtt", "homeassistant", "ems-esp")).toBe("92-F0-10-31-3C-D8-EB-33");
  });

  test("differs by kind, scope and id, whichever way they would join", () => {
    const ids = [
      derivedEdgeId("a", "b", "c"),
      derivedEdgeId("ab", "", "c"),
      derivedEdgeId("a", "bc", ""),
      derivedEdgeId("", "ab", "c"),
    ];
    expect(new Set(ids).size).toBe(4);
  });

  test("is of many devices always an EUI-64 that was given locally and names one device", () => {
    const ids = Array.from({ length: 2000 }, (_, n) => derivedEdgeId("mqtt", "home", String(n)));
    expect(new Set(ids).size).toBe(2000);
    for (const id of ids) {
      expect(isEdgeId(id)).toBe(true);
      expect(Number.parseInt(id.slice(0, 2), 16) & 3).toBe(2);
    }
  });
});

test.for([
  ["0x00158d0001020304", "00-15-8D-00-01-02-03-04"],
  ["DC4F22A1B2C3", "DC-4F-22-A1-B2-C3"],
  ["dc:4f:22:a1:b2:c3", "DC-4F-22-A1-B2-C3"],
  ["dc4f.22a1.b2c3", "DC-4F-22-A1-B2-C3"],
  ["0x00158d00010203", undefined],
  ["lamp", undefined],
  ["", undefined],
] as const)("%j as an EUI is %j", ([text, edgeId]) => {
  expect(edgeIdOfEui(text)).toBe(edgeId);
});
