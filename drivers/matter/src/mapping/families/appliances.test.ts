/** What appliances report and can be commanded: beside the table of devices, what a dump does not show. */
import type { Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { describeEndpoints } from "../describe.ts";
import { type Attributes, endpoint } from "../endpoint.fixture.ts";

const MODES = [
  { label: "Idle", mode: 0 },
  { label: "Cleaning", mode: 4 },
  { label: "Cleaning", mode: 7 },
  { label: "", mode: 9 },
];

function property(clusters: Readonly<Record<string, Attributes>>, name: string) {
  const one = endpoint(1, { clusters });
  const found = describeEndpoints([{ endpoint: one, index: "1" }]).find(
    ({ address }) => `${address.service}.${address.property}` === name,
  );
  const raw = (cluster: string, attribute: string) => one.attribute(cluster, attribute);
  return { found, read: found?.read(raw), set: (value: Value) => found?.set?.(value, raw) };
}

test("a mode is its label; labels that are there twice or empty have their number", () => {
  const { found, read } = property({ rvcRunMode: { supportedModes: MODES, currentMode: 4 } }, "RvcRunMode.currentMode");
  expect(found?.description.values).toEqual(["Idle", "Cleaning", "Cleaning 7", "9"]);
  expect(read).toBe("Cleaning");
});

test("a mode is changed by its label, and confirmed by the device's next report", () => {
  const { set } = property({ rvcRunMode: { supportedModes: MODES, currentMode: 0 } }, "RvcRunMode.currentMode");
  const command = { cluster: "rvcRunMode", command: "changeToMode", fields: { newMode: 7 } };
  const setting = set("Cleaning 7");
  expect(setting).toMatchObject({ send: { command }, now: "Cleaning 7" });
  expect([{ status: 0 }, undefined].map((answer) => setting?.refusal?.(answer))).toEqual([undefined, undefined]);
  expect(setting?.refusal?.({ status: 3, statusText: "" })?.reason).toContain("from the mode that it is in");
  expect(setting?.refusal?.({ status: 65, statusText: "Stuck" })).toEqual({ code: 65, reason: "Stuck" });
  expect(() => set("Waltz")).toThrow(/does not have this mode/);
});

test.for<[Attributes, Value | undefined, Value | undefined]>([
  [{ supportedModes: MODES, currentMode: 5 }, null, "string"],
  [{ supportedModes: MODES, currentMode: null }, null, "string"],
  [{ supportedModes: [], currentMode: 3 }, 3, "integer"],
  [{ supportedModes: null, currentMode: null }, undefined, undefined],
])("of %j the mode is %j, as %j", ([stated, value, type]) => {
  const { found, read } = property({ dishwasherMode: stated }, "DishwasherMode.currentMode");
  expect([read, found?.description.type]).toEqual([value, type]);
});

test("the mode of a microwave oven is set with the time to cook, so it is only read", () => {
  const { found } = property(
    { microwaveOvenMode: { supportedModes: MODES, currentMode: 0 } },
    "MicrowaveOvenMode.currentMode",
  );
  expect([found?.description.access, found?.set]).toEqual([["read", "notify"], undefined]);
});

test.for<[Attributes, string, Value | null | undefined]>([
  [{ operationalState: 66 }, "operationalState", "docked"],
  [{ operationalState: 66, operationalStateList: [{ operationalStateId: 0 }] }, "operationalState", null],
  [
    { operationalState: 130, operationalStateList: [{ operationalStateId: 130, operationalStateLabel: "Purring" }] },
    "operationalState",
    "Purring",
  ],
  [{ operationalError: { errorStateId: 0 } }, "error", null],
  [{ operationalError: { errorStateId: 65 } }, "error", "stuck"],
  [{ operationalError: { errorStateId: 140, errorStateLabel: "Hair" } }, "error", "Hair"],
  [{ operationalError: undefined }, "error", undefined],
  [{ phaseList: ["rinse", "spin"], currentPhase: 1 }, "phase", "spin"],
  [{ phaseList: ["rinse", "spin"], currentPhase: null }, "phase", null],
  [{ phaseList: null, currentPhase: 1 }, "phase", undefined],
  [{ countdownTime: 90 }, "countdownTime", 90],
])("of %j: %s is %j", ([stated, name, value]) => {
  expect(property({ rvcOperationalState: stated }, `RvcOperationalState.${name}`).read).toEqual(value);
});

test("an appliance gets the commands that it lists", () => {
  const stated = { operationalState: 1, acceptedCommandList: [0, 3, 128, 200] };
  const { found, set } = property({ rvcOperationalState: stated }, "RvcOperationalState.command");
  expect(found?.description).toMatchObject({ values: ["pause", "resume", "goHome"], access: ["write"] });
  expect(set("goHome")).toMatchObject({
    send: { command: { command: "goHome" } },
    now: "goHome",
    isAcceptedOnly: true,
  });
  expect(property({ rvcOperationalState: { operationalState: 1 } }, "RvcOperationalState.command").found).toBe(
    undefined,
  );
});

test("a temperature is set in degrees, within what the device can", () => {
  const stated = {
    featureMap: ["temperatureNumber"],
    temperatureSetpoint: -1800,
    minTemperature: -2400,
    maxTemperature: -1500,
  };
  const { found, read, set } = property({ temperatureControl: stated }, "TemperatureControl.temperatureSetpoint");
  expect([read, found?.description]).toMatchObject([-18, { min: -24, max: -15, unit: "°C" }]);
  const command = { command: "setTemperature", fields: { targetTemperature: -2050 } };
  expect(set(-20.5)).toMatchObject({ send: { command }, now: -20.5 });
});

test("levels are set by their words: by a command of the one cluster, by writing the attribute of the other", () => {
  const level = {
    featureMap: ["temperatureLevel"],
    selectedTemperatureLevel: 1,
    supportedTemperatureLevels: ["Cold", "Warm"],
  };
  const chosen = property({ temperatureControl: level }, "TemperatureControl.selectedTemperatureLevel");
  expect(chosen.read).toBe("Warm");
  expect(chosen.set("Cold")).toMatchObject({
    send: { command: { fields: { targetTemperatureLevel: 0 } } },
    now: "Cold",
  });
  const rinses = property(
    { laundryWasherControls: { numberOfRinses: 1, supportedRinses: [1, 3] } },
    "LaundryWasherControls.numberOfRinses",
  );
  expect(rinses.found?.description.values).toEqual(["normal", "max"]);
  expect(rinses.set("max")).toMatchObject({ send: { write: { attribute: "numberOfRinses", value: 3 } } });
});

test.for<[string, Attributes, string, Value | undefined]>([
  [
    "refrigeratorAlarm",
    { state: { doorOpen: true }, supported: { doorOpen: true } },
    "RefrigeratorAlarm.doorOpen",
    true,
  ],
  ["dishwasherAlarm", { state: { drainError: false } }, "DishwasherAlarm.drainError", false],
  ["dishwasherAlarm", { state: {}, supported: { drainError: false } }, "DishwasherAlarm.drainError", undefined],
  ["energyEvse", { circuitCapacity: 32_000 }, "EnergyEvse.circuitCapacity", 32],
  ["energyEvse", { state: 3 }, "EnergyEvse.state", "pluggedInCharging"],
  ["energyEvse", { faultState: 255 }, "EnergyEvse.faultState", null],
  ["pumpConfigurationAndControl", { capacity: 3277 }, "PumpConfigurationAndControl.capacity", 32.77],
  ["pumpConfigurationAndControl", { maxPressure: 3277 }, "PumpConfigurationAndControl.maxPressure", undefined],
  ["waterHeaterManagement", { estimatedHeatRequired: 4_000_000n }, "WaterHeaterManagement.estimatedHeatRequired", 4],
  ["mediaPlayback", { currentState: 2 }, "MediaPlayback.currentState", 2],
])("%s of %o: %s is %j", ([cluster, stated, name, value]) => {
  expect(property({ [cluster]: stated }, name).read).toEqual(value);
});
