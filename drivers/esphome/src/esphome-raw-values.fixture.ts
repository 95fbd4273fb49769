/** Spellings of values, and of none, as ESPHome firmware sends them: of each type of entity some, for the judge. */
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import type { RawCase, RawKind, RawValues } from "@porchlight/driver-kit/judge/world.suite.ts";
import type { Value } from "@porchlight/shared/model";
import { type FakeEntity, fakeEntity } from "./fake-entity.fixture.ts";
import type { FakeEspHome } from "./fake-esphome.fixture.ts";
import type { EntityState } from "./wire/messages.ts";

const LAMP = "Raw lamp";
const SHADE = "Raw shade";
const HEAT = "Raw heat";
const FAHRENHEIT = 1;

const measured = (name: string, deviceClass: string, unitOfMeasurement: string, state: number) =>
  fakeEntity("sensor", name, { state }, { deviceClass, unitOfMeasurement });

/** Entities beside those of a device. */
export const RAW_ENTITIES: readonly FakeEntity[] = [
  fakeEntity(
    "light",
    LAMP,
    {
      state: true,
      brightness: 0.5,
      colorMode: 47,
      colorBrightness: 1,
      red: 1,
      green: 0,
      blue: 0,
      colorTemperature: 250,
    },
    { supportedColorModes: [35, 11, 47], minMireds: 153, maxMireds: 500, effects: ["Pulse"] },
  ),
  fakeEntity(
    "cover",
    SHADE,
    { position: 0.4, tilt: 0.4, currentOperation: 0 },
    { supportsPosition: true, supportsTilt: true, deviceClass: "shade" },
  ),
  fakeEntity("lock", "Raw lock", { state: 1 }),
  fakeEntity("valve", "Raw valve", { position: 0, currentOperation: 0 }, { supportsPosition: true }),
  fakeEntity(
    "climate",
    HEAT,
    { mode: 3, action: 3, currentTemperature: 68, targetTemperature: 68, fanMode: 2 },
    {
      ...{ supportedModes: [0, 3], supportedFanModes: [0, 2], supportsAction: true, supportsCurrentTemperature: true },
      ...{ visualMinTemperature: 50, visualMaxTemperature: 90, temperatureUnit: FAHRENHEIT },
    },
  ),
  fakeEntity("fan", "Raw fan", { state: true, speedLevel: 2 }, { supportsSpeed: true, supportedSpeedCount: 4 }),
  fakeEntity("binary_sensor", "Raw smoke", { state: true }, { deviceClass: "smoke" }),
  fakeEntity("select", "Raw choice", { state: "low" }, { options: ["low", "high"] }),
  fakeEntity("text_sensor", "Raw text", { state: "fine" }),
  measured("Raw battery", "battery", "%", 80),
  measured("Raw humidity", "humidity", "%", 40),
  measured("Raw heat outside", "temperature", "°F", 50),
  measured("Raw voltage", "voltage", "mV", 3000),
  measured("Raw pressure", "pressure", "inHg", 30),
];

/** Kind, type and name of the entity, the state that it sends, the property, its value before, and what it is then. */
type Row = readonly [RawKind, string, string, EntityState, string, Value, Value];

const ROWS: readonly Row[] = [
  ["no value", "sensor", "Raw battery", { state: 80, missingState: true }, "Battery:0.percent", 80, null],
  ["no value", "binary_sensor", "Raw smoke", { state: true, missingState: true }, "Smoke:0.detected", true, null],
  ["no value", "text_sensor", "Raw text", { state: "fine", missingState: true }, "Readings:0.rawText", "fine", null],
  ["no value", "select", "Raw choice", { state: "low", missingState: true }, "Settings:0.rawChoice", "low", null],
  ["no value", "light", LAMP, { colorMode: 11, colorTemperature: 250 }, "LightColor:1.hue", 0, null],
  ["no value", "light", LAMP, { colorMode: 35, red: 1 }, "LightTemperature:1.kelvin", 4000, null],
  ["no value", "climate", HEAT, { customFanMode: "Turbo", fanMode: 0 }, "Settings:0.fanMode", "auto", null],
  ["member left out", "binary_sensor", "Raw smoke", {}, "Smoke:0.detected", true, false],
  ["member left out", "sensor", "Raw humidity", {}, "Humidity:0.percent", 40, 0],
  ["word for no value", "text_sensor", "Raw text", { state: "unavailable" }, "Readings:0.rawText", "fine", null],
  ["not a number", "sensor", "Raw humidity", { state: Number.NaN }, "Humidity:0.percent", 40, null],
  ["not a number", "sensor", "Raw voltage", { state: Number.POSITIVE_INFINITY }, "Electricity:1.volts", 3, null],
  ["not a number", "cover", SHADE, { position: Number.NaN }, "Cover:0.position", 40, null],
  ["not a number", "valve", "Raw valve", { position: Number.NaN }, "Valve:0.open", false, null],
  ["not a number", "light", LAMP, { brightness: Number.NaN, colorMode: 47 }, "LightLevel:1.level", 50, null],
  ["not a number", "light", LAMP, { colorMode: 47, red: Number.NaN }, "LightColor:1.saturation", 100, null],
  ["not a number", "climate", HEAT, { currentTemperature: Number.NaN }, "Temperature:0.celsius", 20, null],
  ["not a number", "climate", HEAT, { targetTemperature: Number.NaN }, "Thermostat:0.target", 20, null],
  ["protocol marker", "lock", "Raw lock", { state: 0 }, "Lock:0.locked", true, null],
  ["protocol marker", "lock", "Raw lock", { state: 3 }, "Lock:0.locked", true, null],
  ["protocol marker", "lock", "Raw lock", { state: 4 }, "Lock:0.locked", true, null],
  ["protocol marker", "light", LAMP, { colorMode: 0, red: 1 }, "LightColor:1.hue", 0, null],
  ["protocol marker", "light", LAMP, { colorMode: 47, colorTemperature: 0 }, "LightTemperature:1.kelvin", 4000, null],
  ["protocol marker", "light", LAMP, { colorMode: 47, brightness: 0 }, "LightLevel:1.level", 50, null],
  ["excess of rounding", "light", LAMP, { colorMode: 47, brightness: 1.004 }, "LightLevel:1.level", 50, 100],
  ["excess of rounding", "cover", SHADE, { position: -0.004 }, "Cover:0.position", 40, 0],
  ["share out of range", "cover", SHADE, { position: 1.3 }, "Cover:0.position", 40, null],
  ["share out of range", "cover", SHADE, { tilt: -1 }, "Settings:0.tilt", 40, null],
  ["share out of range", "light", LAMP, { colorMode: 47, brightness: 255 }, "LightLevel:1.level", 50, null],
  ["share out of range", "light", LAMP, { colorMode: 47, red: 7 }, "LightColor:1.saturation", 100, null],
  [
    "share out of range",
    "light",
    LAMP,
    { colorMode: 47, colorTemperature: 65535 },
    "LightTemperature:1.kelvin",
    4000,
    null,
  ],
  ["share out of range", "fan", "Raw fan", { state: true, speedLevel: 9 }, "Fan:0.speed", 50, null],
  ["share out of range", "sensor", "Raw battery", { state: 255 }, "Battery:0.percent", 80, null],
  ["measured out of range", "sensor", "Raw humidity", { state: 104.2 }, "Humidity:0.percent", 40, 104.2],
  ["measured out of range", "sensor", "Raw heat outside", { state: -459 }, "Temperature:1.celsius", 10, -272.7778],
  ["measured out of range", "sensor", "Raw pressure", { state: 31 }, "Pressure:0.hectopascal", 1015.917, 1049.781],
  ["unlisted word", "lock", "Raw lock", { state: 77 }, "Lock:0.locked", true, null],
  ["unlisted word", "cover", SHADE, { currentOperation: 9 }, "Cover:0.movement", "stopped", null],
  ["unlisted word", "climate", HEAT, { mode: 77 }, "Thermostat:0.mode", "heat", null],
  ["unlisted word", "climate", HEAT, { action: 77 }, "Thermostat:0.activity", "heating", null],
  ["unlisted word", "light", LAMP, { colorMode: 255, red: 1 }, "LightColor:1.hue", 0, null],
  ["unlisted word", "select", "Raw choice", { state: "medium" }, "Settings:0.rawChoice", "low", null],
];

export function espHomeRawValues(device: FakeEspHome): RawValues {
  const cannot = { "number as text": "numbers are binary" };
  return { cases: ROWS.map((row) => rawCase(row, device)), cannot };
}

function rawCase([kind, type, name, state, address, before, value]: Row, device: FakeEspHome): RawCase {
  const entity = device.entity(type, name);
  const good = entity.state;
  const tell = (now: EntityState | undefined) => {
    entity.state = now;
    device.change(entity, {});
  };
  return {
    ...{ kind, before, value, raw: `${name} ${JSON.stringify(state)}`, property: addressIn(address) },
    sendBefore: () => tell(good),
    send: () => tell(state),
  };
}
