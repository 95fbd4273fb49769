/** Devices as people have them: entities after the public configurations of their makers, written as our own data. */
import { type FakeEntity, fakeEntity } from "./fake-entity.fixture.ts";

const MEASUREMENT = 1;
const TOTAL_INCREASING = 2;
const CONFIG = 1;
const DIAGNOSTIC = 2;

const measured = (name: string, deviceClass: string, unit: string, state: number, more: FakeEntity["traits"] = {}) =>
  fakeEntity(
    "sensor",
    name,
    { state },
    {
      ...{ deviceClass, unitOfMeasurement: unit, stateClass: MEASUREMENT, accuracyDecimals: 1 },
      ...more,
    },
  );

/** What most configurations have besides. */
const COMMON: readonly FakeEntity[] = [
  measured("WiFi Signal", "signal_strength", "dBm", -61, { entityCategory: DIAGNOSTIC }),
  fakeEntity("sensor", "Uptime", { state: 4711 }, { unitOfMeasurement: "s", entityCategory: DIAGNOSTIC }),
  fakeEntity("text_sensor", "IP Address", { state: "192.0.2.44" }, { entityCategory: DIAGNOSTIC }),
  fakeEntity("button", "Restart", undefined, { deviceClass: "restart", entityCategory: CONFIG }),
];

/** A plug that measures (after Athom's plug, version 2). */
export const PLUG: readonly FakeEntity[] = [
  fakeEntity("switch", "Switch", { state: false }, { deviceClass: "outlet" }),
  measured("Current", "current", "A", 0.5),
  measured("Voltage", "voltage", "V", 230.1),
  measured("Power", "power", "W", 115),
  measured("Energy", "energy", "kWh", 12.5, { stateClass: TOTAL_INCREASING }),
  measured("Total Daily Energy", "energy", "Wh", 500, { stateClass: TOTAL_INCREASING }),
  fakeEntity("binary_sensor", "Power Button", { state: false }),
  fakeEntity(
    "select",
    "Power On State",
    { state: "Restore" },
    {
      options: ["Always Off", "Always On", "Restore"],
      entityCategory: CONFIG,
    },
  ),
  ...COMMON,
];

/** A bulb with red, green, blue, cold and warm white (after Athom's 7 W bulb). */
export const BULB: readonly FakeEntity[] = [
  fakeEntity(
    "light",
    "RGBCW Bulb",
    { state: true, brightness: 0.5, colorMode: 35, colorBrightness: 1, red: 1, green: 0.5, blue: 0, effect: "None" },
    { supportedColorModes: [11, 35], minMireds: 153.8, maxMireds: 370.4, effects: ["Random", "Pulse"] },
  ),
  fakeEntity("switch", "Status LED", { state: true }, { entityCategory: CONFIG }),
  ...COMMON,
];

/** A strip with a white channel beside its colours. */
export const STRIP: readonly FakeEntity[] = [
  fakeEntity(
    "light",
    "Strip",
    { state: true, brightness: 1, colorMode: 39, colorBrightness: 1, red: 0, green: 0, blue: 1, white: 0.3 },
    { supportedColorModes: [39] },
  ),
  ...COMMON,
];

/** A lamp of cold and warm white that are mixed. */
export const WHITE_MIX: readonly FakeEntity[] = [
  fakeEntity(
    "light",
    "Ceiling",
    { state: true, brightness: 1, colorMode: 19, coldWhite: 1, warmWhite: 1 },
    { supportedColorModes: [19], minMireds: 150, maxMireds: 450 },
  ),
  ...COMMON,
];

/** A blind with slats. */
export const BLIND: readonly FakeEntity[] = [
  fakeEntity(
    "cover",
    "Blind",
    { position: 0.4, tilt: 0.25, currentOperation: 0 },
    { supportsPosition: true, supportsTilt: true, supportsStop: true, deviceClass: "blind" },
  ),
  ...COMMON,
];

/** An opener of a garage door (after ratgdo). */
export const GARAGE: readonly FakeEntity[] = [
  fakeEntity(
    "cover",
    "Door",
    { position: 0, currentOperation: 0 },
    {
      ...{ supportsPosition: true, supportsStop: true, deviceClass: "garage" },
    },
  ),
  fakeEntity("light", "Light", { state: false, colorMode: 1 }, { supportedColorModes: [1] }),
  fakeEntity("lock", "Lock remotes", { state: 2 }),
  fakeEntity("binary_sensor", "Motion", { state: false }, { deviceClass: "motion" }),
  fakeEntity("binary_sensor", "Obstruction", { state: false }, { deviceClass: "problem" }),
  fakeEntity("sensor", "Openings", { state: 1234 }, { stateClass: TOTAL_INCREASING }),
  fakeEntity(
    "number",
    "Opening duration",
    { state: 12.5 },
    { minValue: 0, maxValue: 180, step: 0.1, unitOfMeasurement: "s" },
  ),
  fakeEntity("button", "Query status"),
  ...COMMON,
];

/** A ceiling fan with a light. */
export const FAN: readonly FakeEntity[] = [
  fakeEntity(
    "fan",
    "Fan",
    { state: true, speedLevel: 2, oscillating: false, direction: 0, presetMode: "" },
    {
      ...{ supportsSpeed: true, supportedSpeedCount: 4, supportsOscillation: true, supportsDirection: true },
      supportedPresetModes: ["Breeze", "Sleep"],
    },
  ),
  fakeEntity("light", "Light", { state: false, brightness: 1, colorMode: 3 }, { supportedColorModes: [3] }),
  ...COMMON,
];

/** A heat pump by infrared. */
export const HEAT_PUMP: readonly FakeEntity[] = [
  fakeEntity(
    "climate",
    "Living Room",
    { mode: 3, targetTemperature: 21, currentTemperature: 19.4, action: 3, fanMode: 2, swingMode: 0, preset: 0 },
    {
      ...{ supportedModes: [0, 1, 2, 3, 4, 5], supportedFanModes: [2, 3, 4, 5], supportedSwingModes: [0, 2] },
      ...{ visualMinTemperature: 16, visualMaxTemperature: 30, visualTargetTemperatureStep: 0.5 },
      ...{ supportsAction: true, supportsCurrentTemperature: true, supportedPresets: [0, 3] },
    },
  ),
  fakeEntity("switch", "Display", { state: true }, { entityCategory: CONFIG }),
  ...COMMON,
];

/** A thermostat that keeps between two temperatures, as newer firmware says it. */
export const THERMOSTAT: readonly FakeEntity[] = [
  fakeEntity(
    "climate",
    "Hall",
    { mode: 1, targetTemperatureLow: 19, targetTemperatureHigh: 24, currentTemperature: 20.5, currentHumidity: 41 },
    {
      ...{ supportedModes: [0, 1, 2, 3], visualMinTemperature: 10, visualMaxTemperature: 30 },
      ...{ visualTargetTemperatureStep: 0.5, supportsTwoPointTargetTemperature: true },
      supportsCurrentTemperature: true,
    },
  ),
];

/** A sensor of the air (after Apollo's AIR-1). */
export const AIR: readonly FakeEntity[] = [
  measured("CO2", "carbon_dioxide", "ppm", 612),
  measured("SEN55 Temperature", "temperature", "°C", 21.37),
  measured("SEN55 Humidity", "humidity", "%", 44.2),
  measured("DPS310 Pressure", "atmospheric_pressure", "hPa", 1013.2),
  measured("PM <2.5µm Weight concentration", "pm25", "µg/m³", 3.1),
  measured("PM <10µm Weight concentration", "pm10", "µg/m³", 4.2),
  measured("ESP Temperature", "temperature", "°C", 48.1, { entityCategory: DIAGNOSTIC }),
  fakeEntity("sensor", "VOC Quality Index", { state: Number.NaN, missingState: true }, {}),
  fakeEntity("text_sensor", "VOC Quality", { state: "Normal" }),
  fakeEntity(
    "light",
    "RGB Light",
    { state: false, brightness: 1, colorMode: 35, red: 1, green: 1, blue: 1 },
    {
      supportedColorModes: [35],
    },
  ),
  fakeEntity(
    "number",
    "SEN55 Temperature Offset",
    { state: 0 },
    {
      ...{ minValue: -70, maxValue: 70, step: 0.1, unitOfMeasurement: "°C", entityCategory: CONFIG },
    },
  ),
  ...COMMON,
];

/** A sensor in the garden that sleeps. */
export const SOIL: readonly FakeEntity[] = [
  measured("Soil Moisture", "moisture", "%", 33),
  measured("Battery", "battery", "%", 81),
  measured("Air Temperature", "temperature", "°F", 50),
];

/** A panel of an alarm, with what sounds. */
export const ALARM: readonly FakeEntity[] = [
  fakeEntity("alarm_control_panel", "House", { state: 0 }, { supportedFeatures: 3 }),
  fakeEntity("siren", "Siren", { state: false }, { tones: ["Beep", "Howl"], supportsDuration: true }),
  fakeEntity("binary_sensor", "Front Door", { state: false }, { deviceClass: "door" }),
];

/** A valve of the garden, a lock, a player, a knob, and words. */
export const ODDS: readonly FakeEntity[] = [
  fakeEntity(
    "valve",
    "Sprinkler",
    { position: 0, currentOperation: 0 },
    { supportsPosition: true, deviceClass: "water" },
  ),
  fakeEntity("lock", "Shed", { state: 1 }, { supportsOpen: true }),
  fakeEntity("media_player", "Speaker", { state: 1, volume: 0.3, muted: false }, { supportsPause: true }),
  fakeEntity("event", "Knob", undefined, { eventTypes: ["single", "double", "turned_left"] }),
  fakeEntity("text", "Message", { state: "hello" }),
  fakeEntity("button", "Identify", undefined, { deviceClass: "identify" }),
  fakeEntity("camera", "Eye"),
];

export const ALL_DEVICES = {
  ...{ PLUG, BULB, STRIP, WHITE_MIX, BLIND, GARAGE, FAN, HEAT_PUMP, THERMOSTAT, AIR, SOIL, ALARM, ODDS },
};
