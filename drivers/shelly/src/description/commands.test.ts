/** What is sent to set a property, which status confirms it, and which does not. */
import { addressKey, type Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { AIR_CONDITIONING, IRRIGATION, RELAYS, SCENT, SHUTTER, WHITE_LAMP } from "../captured.fixture.ts";
import { describeShelly, deviceInfo } from "./describe.ts";
import type { ComponentsJson } from "./shelly-property.ts";

interface Row {
  readonly config?: ComponentsJson;
  readonly status: ComponentsJson;
  readonly set: string;
  readonly value: Value;
  readonly sends: readonly [method: string, params: Record<string, unknown>];
  /** What the component then says when it is so. */
  readonly isSo: Record<string, unknown>;
  readonly isNotSo: Record<string, unknown>;
}

const RGB = { "rgb:0": { output: true, brightness: 50, rgb: [255, 0, 0] } };
const CALIBRATED = { "cover:0": { state: "stopped", pos_control: true, current_pos: 20, slat_pos: 5 } };
const THERMOSTAT = { "thermostat:0": { enable: false, target_C: 20, output: false } };

const ROWS: readonly Row[] = [
  {
    ...RELAYS,
    set: "Switch:1.on",
    value: true,
    sends: ["Switch.Set", { id: 1, on: true }],
    isSo: { output: true },
    isNotSo: { output: false },
  },
  {
    status: { "light:0": { output: false, brightness: 5 } },
    ...{ set: "LightLevel:0.level", value: 40.4, sends: ["Light.Set", { id: 0, brightness: 40 }] },
    ...{ isSo: { brightness: 40 }, isNotSo: { brightness: 41 } },
  },
  {
    ...WHITE_LAMP,
    set: "Switch:0.on",
    value: true,
    sends: ["CCT.Set", { id: 0, on: true }],
    isSo: { output: true },
    isNotSo: {},
  },
  {
    ...WHITE_LAMP,
    ...{ set: "LightTemperature:0.kelvin", value: 4000, sends: ["CCT.Set", { id: 0, ct: 4000 }] },
    ...{ isSo: { ct: 4000 }, isNotSo: { ct: 2700 } },
  },
  {
    status: RGB,
    ...{ set: "LightColor:0.hue", value: 120, sends: ["RGB.Set", { id: 0, rgb: [0, 255, 0] }] },
    ...{ isSo: { rgb: [0, 255, 0] }, isNotSo: { rgb: [0, 254, 0] } },
  },
  {
    status: RGB,
    ...{ set: "LightColor:0.saturation", value: 50, sends: ["RGB.Set", { id: 0, rgb: [255, 128, 128] }] },
    ...{ isSo: { rgb: [255, 128, 128] }, isNotSo: { rgb: "red" } },
  },
  {
    status: { "rgbw:0": { output: true, rgb: [0, 0, 0], white: 0 } },
    ...{ set: "Settings:0.white", value: 12, sends: ["RGBW.Set", { id: 0, white: 12 }] },
    ...{ isSo: { white: 12 }, isNotSo: { white: 0 } },
  },
  {
    status: CALIBRATED,
    ...{ set: "Cover:0.target", value: 70, sends: ["Cover.GoToPosition", { id: 0, pos: 70 }] },
    ...{ isSo: { state: "opening", target_pos: 70, current_pos: 21 }, isNotSo: { state: "opening", current_pos: 21 } },
  },
  {
    config: { "cover:0": { slat: { enable: true } } },
    status: CALIBRATED,
    ...{ set: "Settings:0.slat", value: 60, sends: ["Cover.GoToPosition", { id: 0, slat_pos: 60 }] },
    ...{ isSo: { slat_pos: 60 }, isNotSo: { slat_pos: 5 } },
  },
  {
    ...SHUTTER,
    set: "Cover:0.target",
    value: 100,
    sends: ["Cover.Open", { id: 0 }],
    isSo: { state: "opening" },
    isNotSo: { state: "stopped" },
  },
  {
    ...SHUTTER,
    set: "Cover:0.target",
    value: 0,
    sends: ["Cover.Close", { id: 0 }],
    isSo: { state: "closed" },
    isNotSo: { state: "opening" },
  },
  {
    ...SHUTTER,
    set: "Settings:0.stop",
    value: true,
    sends: ["Cover.Stop", { id: 0 }],
    isSo: { state: "stopped" },
    isNotSo: { state: "closing" },
  },
  {
    ...SCENT,
    ...{ set: "Settings:0.leftIntensity", value: 30, sends: ["Cury.Set", { id: 0, slot: "left", intensity: 30 }] },
    ...{ isSo: { slots: { left: { intensity: 30 } } }, isNotSo: { slots: { right: { intensity: 30 } } } },
  },
  {
    status: THERMOSTAT,
    ...{ set: "Thermostat:0.mode", value: "heat", isSo: { enable: true }, isNotSo: { enable: false } },
    sends: ["Thermostat.SetConfig", { id: 0, config: { enable: true } }],
  },
  {
    status: THERMOSTAT,
    ...{ set: "Thermostat:0.target", value: 21.5, isSo: { target_C: 21.5 }, isNotSo: { target_C: 20 } },
    sends: ["Thermostat.SetConfig", { id: 0, config: { target_C: 21.5 } }],
  },
  {
    ...IRRIGATION,
    set: "Valve:3.open",
    value: true,
    sends: ["Boolean.Set", { id: 203, value: true }],
    isSo: { value: true },
    isNotSo: { value: null },
  },
  {
    ...AIR_CONDITIONING,
    ...{ set: "Settings:0.workingMode", value: "dry", sends: ["Enum.Set", { id: 201, value: "dry" }] },
    ...{ isSo: { value: "dry" }, isNotSo: { value: "heat" } },
  },
  {
    ...AIR_CONDITIONING,
    ...{ set: "Thermostat:0.target", value: 22.5, sends: ["Number.Set", { id: 203, value: 22.5 }] },
    ...{ isSo: { value: 22.5 }, isNotSo: { value: 20.5 } },
  },
];

test.for(ROWS)("$set to $value sends $sends.0, and is confirmed by the status alone", (row) => {
  const { config = {}, status, set, value, sends, isSo, isNotSo } = row;
  const { properties } = describeShelly(deviceInfo.parse(RELAYS.info), config, status);
  const property = properties.find(({ address }) => addressKey(address) === set);
  const command = property?.command?.(value, status[property.component] ?? {});
  expect([command?.method, command?.params]).toEqual(sends);
  expect([command?.isSo(isSo), command?.isSo(isNotSo), command?.isSo({})]).toEqual([true, false, false]);
});
