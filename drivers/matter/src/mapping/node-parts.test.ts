import { describe, expect, test } from "vitest";
import { endpoint, type FakeEndpoint, type GivenEndpoint } from "./endpoint.fixture.ts";
import { aboutOf, edgeIdOf, type IdentityScope, isBridge, type NodePart, partsOf } from "./identity.ts";

function node(given: Readonly<Record<number, GivenEndpoint>>): Map<number, FakeEndpoint> {
  return new Map(Object.entries(given).map(([number, each]) => [Number(number), endpoint(Number(number), each)]));
}

const shape = (parts: readonly NodePart[]) =>
  parts.map(({ root, endpoints }) => [
    root.number,
    ...endpoints.map(({ endpoint: each, index }) => `${each.number}=${index}`),
  ]);
const INFORMATION = { bridgedDeviceBasicInformation: {} };

describe("a node", () => {
  test("without a bridge is one device with all of its endpoints", () => {
    const plug = node({ 0: { clusters: {} }, 1: { clusters: {} }, 3: { clusters: {} } });
    expect(shape(partsOf(plug))).toEqual([[0, "0=0", "1=1", "3=3"]]);
    expect(isBridge(plug)).toBe(false);
  });

  test("that is a bridge has a device for each bridged endpoint, with what stands below it", () => {
    const bridge = node({
      0: { clusters: {}, parts: [1, 1500, 1501, 1502, 2000] },
      1: { types: [0x0e], clusters: {}, parts: [1500, 1501, 1502, 2000] },
      1500: { clusters: INFORMATION, parts: [1501, 1502] },
      1501: { clusters: {} },
      1502: { clusters: {} },
      2000: { clusters: INFORMATION },
    });
    expect(shape(partsOf(bridge))).toEqual([
      [0, "0=0", "1=1"],
      [1500, "1500=0", "1501=1", "1502=2"],
      [2000, "2000=0"],
    ]);
    expect(isBridge(bridge)).toBe(true);
  });

  test("that lists itself below itself ends", () => {
    const loop = node({
      0: { clusters: {} },
      2: { clusters: INFORMATION, parts: [3] },
      3: { clusters: {}, parts: [2, 3] },
    });
    expect(shape(partsOf(loop))).toEqual([
      [0, "0=0"],
      [2, "2=0", "3=1"],
    ]);
  });

  test("that has not described its endpoint 0 is nothing yet", () => {
    expect(partsOf(node({ 1: { clusters: {} } }))).toEqual([]);
  });
});

describe("an edgeId", () => {
  const wifi = (address: readonly number[], type = 1) => ({
    networkInterfaces: [{ type, hardwareAddress: Uint8Array.from(address) }],
  });
  const MAC = [0x00, 0x1b, 0x44, 0x11, 0x22, 0x33];
  function of(basic: object, diagnostics: object = {}, more: Partial<IdentityScope> = {}) {
    const root = endpoint(0, { clusters: { basicInformation: { ...basic }, generalDiagnostics: { ...diagnostics } } });
    const scope = { fabricId: "F1", nodeId: "1", isBridge: false, node: root, ...more };
    return edgeIdOf(scope, { root, isBridged: false, endpoints: [] });
  }

  test("is the device's own address, of Wi-Fi and Ethernet", () => {
    expect(of({ vendorId: 4660 }, wifi(MAC))).toBe("00-1B-44-11-22-33");
    expect(of({ vendorId: 4660 }, wifi(MAC, 2))).toBe("00-1B-44-11-22-33");
  });

  test.for([
    ["a Thread address", { vendorId: 4660, uniqueId: "u" }, wifi(MAC, 4)],
    ["an address that was made up", { vendorId: 4660, uniqueId: "u" }, wifi([0x02, 0, 0, 0, 0, 1])],
    [
      "the address of a computer with several devices of their own making",
      { vendorId: 0xfff1, uniqueId: "u" },
      wifi(MAC),
    ],
  ] as const)("is not %s, but made of what the maker calls it", ([, basic, diagnostics]) => {
    const edgeId = of(basic, diagnostics);
    expect(edgeId).toMatch(/^.[2367ABEF](-..){7}$/);
    expect(of(basic, diagnostics, { fabricId: "F2", nodeId: "9" })).toBe(edgeId);
  });

  test("of a device without facts is derived from this fabric", () => {
    expect(of({})).not.toBe(of({}, {}, { fabricId: "F2" }));
    expect(of({})).not.toBe(of({}, {}, { nodeId: "2" }));
  });

  test("of a bridged device is made of the bridge and what the bridge calls it", () => {
    const bridge = endpoint(0, { clusters: { basicInformation: { vendorId: 1, uniqueId: "bridge" } } });
    const part = (number: number, uniqueId?: string): NodePart => {
      const root = endpoint(number, {
        clusters: { bridgedDeviceBasicInformation: uniqueId === undefined ? {} : { uniqueId } },
      });
      return { root, isBridged: true, endpoints: [] };
    };
    const scope = { fabricId: "F1", nodeId: "1", isBridge: true, node: bridge };
    const ids = [part(5, "a"), part(6, "b"), part(7), part(8)].map((each) => edgeIdOf(scope, each));
    expect(new Set(ids).size).toBe(4);
    // Its endpoint may change, what it is called does not.
    expect(edgeIdOf(scope, part(9, "a"))).toBe(ids[0]);
  });
});

test("a device is called by the name that people gave it, else by its product", () => {
  const root = endpoint(0, {
    clusters: {
      basicInformation: { nodeLabel: " ", productName: "Bulb", vendorName: "Acme", softwareVersionString: "1.2" },
    },
  });
  const about = () => aboutOf({ root, isBridged: false, endpoints: [] });
  expect(about()).toMatchObject({ name: "Bulb", model: "Bulb", manufacturer: "Acme", firmware: "1.2" });
  root.set("basicInformation", "nodeLabel", "Porch");
  expect(about().name).toBe("Porch");
});
