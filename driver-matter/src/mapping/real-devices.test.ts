/** Devices as people have them: what they were seen to say of themselves (facts from dumps of nodes in Home Assistant's tests), and what is made of it. */
import { expect, test } from "vitest";
import { describeEndpoints } from "./describe.ts";
import { endpoint, type FakeEndpoint, type GivenEndpoint } from "./endpoint.fixture.ts";
import { aboutOf, edgeIdOf, type IdentityScope } from "./identity.ts";
import { partsOf } from "./node-parts.ts";

type Node = Readonly<Record<number, GivenEndpoint>>;

const EVE_THERMO: Node = {
  0: {
    types: [0x12, 0x11, 0x16],
    parts: [1],
    clusters: {
      basicInformation: {
        ...{ vendorName: "Eve Systems", vendorId: 4874, productName: "Eve Thermo 20ECD1701", productId: 125 },
        ...{ nodeLabel: "", softwareVersionString: "3.6.5", serialNumber: "FX46", uniqueId: "DF3D" },
      },
      powerSource: {
        ...{ featureMap: ["battery", "replaceable"], batVoltage: null, batPercentRemaining: 200, batChargeLevel: 0 },
        ...{ batReplacementNeeded: false, batReplaceability: 2, batReplacementDescription: "" },
      },
      generalDiagnostics: { networkInterfaces: [{ type: 4, hardwareAddress: new Uint8Array(8) }] },
    },
  },
  1: {
    types: [0x0301],
    clusters: {
      identify: { identifyTime: 0, identifyType: 4 },
      thermostat: {
        ...{ featureMap: ["heating", "presets"], localTemperature: 1620, absMinHeatSetpointLimit: 1000 },
        ...{ absMaxHeatSetpointLimit: 3000, localTemperatureCalibration: -15, occupiedHeatingSetpoint: 1750 },
        ...{ minHeatSetpointLimit: 1000, maxHeatSetpointLimit: 3000, controlSequenceOfOperation: 2, systemMode: 4 },
        ...{ thermostatRunningState: {}, temperatureSetpointHold: 0 },
      },
      thermostatUserInterfaceConfiguration: { temperatureDisplayMode: 0, keypadLockout: 0 },
    },
  },
};

const button = {
  featureMap: ["momentarySwitch", "momentarySwitchRelease", "momentarySwitchLongPress", "momentarySwitchMultiPress"],
  ...{ numberOfPositions: 2, currentPosition: 0, multiPressMax: 2 },
};
const IKEA_BILRESA: Node = {
  0: {
    types: [0x12, 0x11, 0x16],
    parts: [1, 2],
    clusters: {
      basicInformation: {
        ...{ vendorName: "IKEA of Sweden", vendorId: 4476, productName: "BILRESA dual button", productId: 32769 },
        ...{ nodeLabel: "", softwareVersionString: "1.8.5", partNumber: "E2489" },
      },
      powerSource: {
        ...{ featureMap: ["battery", "replaceable"], batVoltage: 2820, batPercentRemaining: 152, batChargeLevel: 0 },
      },
    },
  },
  1: { types: [0x0f], clusters: { identify: { identifyTime: 0 }, switch: button } },
  2: { types: [0x0f], clusters: { identify: { identifyTime: 0 }, switch: button } },
};

const EVE_SHUTTER: Node = {
  0: {
    types: [0x12, 0x16],
    parts: [1],
    clusters: {
      basicInformation: {
        ...{ vendorName: "Eve Systems", vendorId: 4874, productName: "Eve Shutter Switch 20ECI1701", productId: 96 },
        ...{ nodeLabel: "", softwareVersionString: "3.6.1", serialNumber: "BK36", uniqueId: "5A2E" },
      },
    },
  },
  1: {
    types: [0x0202],
    clusters: {
      identify: { identifyTime: 0 },
      windowCovering: {
        ...{ featureMap: ["lift", "positionAwareLift"], type: 0, endProductType: 0, operationalStatus: { global: 0 } },
        ...{ targetPositionLiftPercent100ths: 0, currentPositionLiftPercent100ths: 0 },
      },
    },
  },
};

test.for<[string, Node, Readonly<Record<string, unknown>>]>([
  [
    "Eve Thermo 20ECD1701",
    EVE_THERMO,
    {
      ...{ "Battery:0.percent": 100, "Battery:0.low": false, "Battery:0.volts": null },
      ...{ "Thermostat:1.mode": "heat", "Thermostat:1.target": 17.5, "Thermostat:1.activity": "idle" },
      ...{ "Temperature:1.celsius": 16.2, "Identify:1.active": false },
    },
  ],
  [
    "BILRESA dual button",
    IKEA_BILRESA,
    {
      ...{ "Battery:0.percent": 76, "Battery:0.low": false, "Battery:0.volts": 2.82 },
      ...{ "Button:1.event": undefined, "Button:2.event": undefined, "Identify:1.active": false },
    },
  ],
  [
    "Eve Shutter Switch 20ECI1701",
    EVE_SHUTTER,
    {
      ...{ "Cover:1.position": 100, "Cover:1.target": 100, "Cover:1.movement": "stopped" },
      ...{ "Settings:1.stop": undefined, "Identify:1.active": false },
    },
  ],
])("%s is described as people would", ([model, given, expected]) => {
  const endpoints = endpointsOf(given);
  const parts = partsOf(endpoints);
  expect(parts.map((part) => [aboutOf(part).model, aboutOf(part).name])).toEqual([[model, model]]);
  const said = parts.flatMap((part) =>
    describeEndpoints(part.endpoints).map(({ address, endpoint: number, read }) => [
      `${address.service}:${address.index}.${address.property}`,
      read((cluster, attribute) => endpoints.get(number)?.attribute(cluster, attribute)),
    ]),
  );
  expect(Object.fromEntries(said)).toEqual(expected);
});

test("a device that says neither a unique ID nor a serial number is another one on each hub", () => {
  const edgeIds = ["01", "02"].map((fabricId) => edgeIdIn(fabricId, IKEA_BILRESA));
  expect(new Set(edgeIds).size).toBe(2);
  expect(edgeIdIn("01", EVE_THERMO)).toBe(edgeIdIn("02", EVE_THERMO));
});

function endpointsOf(node: Node): ReadonlyMap<number, FakeEndpoint> {
  return new Map(Object.entries(node).map(([number, given]) => [Number(number), endpoint(Number(number), given)]));
}

function edgeIdIn(fabricId: string, node: Node): string {
  const endpoints = endpointsOf(node);
  const [part] = partsOf(endpoints);
  const root = endpoints.get(0);
  if (!part || !root) throw new Error("it has no endpoint 0");
  const scope: IdentityScope = { fabricId, nodeId: "1", isBridge: false, node: root };
  return edgeIdOf(scope, part);
}
