/** Descriptions in parts: put together in order, and bounded. */
import { expect, it } from "vitest";
import { DescribeParts } from "./hub-inbox.ts";

const part = (n: number, parts: number, more = {}) => ({
  edgeId: "00-00-00-00-00-01",
  digest: "d",
  arrival: 1,
  online: true,
  about: {},
  part: n,
  parts,
  services: [{ service: `S${n}`, index: "0", properties: [] }],
  ...more,
});

it("a description in one part is complete", () => {
  expect(new DescribeParts().add(part(0, 1))).toMatchObject({
    kind: "complete",
    device: { services: [{ service: "S0" }] },
  });
});

it("parts are put together in their order", () => {
  const parts = new DescribeParts();
  expect(parts.add(part(0, 3))).toEqual({ kind: "partial" });
  expect(parts.add(part(1, 3))).toEqual({ kind: "partial" });
  expect(parts.add(part(2, 3))).toMatchObject({
    kind: "complete",
    device: { services: [{ service: "S0" }, { service: "S1" }, { service: "S2" }] },
  });
});

it("a part 0 begins anew", () => {
  const parts = new DescribeParts();
  parts.add(part(0, 2));
  parts.add(part(0, 2));
  expect(parts.add(part(1, 2))).toMatchObject({
    kind: "complete",
    device: { services: [{ service: "S0" }, { service: "S1" }] },
  });
});

it.each([
  ["a part without those before it", [part(1, 2)]],
  ["a part that is left out", [part(0, 3), part(2, 3)]],
  ["parts of two descriptions", [part(0, 2), part(1, 2, { digest: "other" })]],
  ["a part past the last", [part(0, 1, { part: 1, parts: 1 })]],
  ["too many devices at once", Array.from({ length: 9 }, (_, n) => part(0, 2, { edgeId: `00-00-00-00-00-0${n}` }))],
  ["too many services", [part(0, 1, { services: Array.from({ length: 65 }, () => part(0, 1).services[0]) })]],
] as const)("%s is malformed", (_what, given) => {
  const parts = new DescribeParts();
  expect(given.map((each) => parts.add(each as ReturnType<typeof part>).kind).at(-1)).toBe("malformed");
});
