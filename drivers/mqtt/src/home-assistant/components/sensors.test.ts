import { describe, expect, test } from "vitest";
import { described, deviceWith, propertyAt, read } from "../discovery.fixture.ts";

describe("a sensor", () => {
  test.for([
    ["temperature", "°C", "Temperature.celsius", "21.5", 21.5],
    ["temperature", "°F", "Temperature.celsius", "72.5", 22.5],
    ["humidity", "%", "Humidity.percent", "40", 40],
    ["pressure", "hPa", "Pressure.hectopascal", "1013", 1013],
    ["atmospheric_pressure", "mbar", "Pressure.hectopascal", "1013", 1013],
    ["pressure", "kPa", "Pressure.hectopascal", "101.3", 1013],
    ["illuminance", "lx", "Illuminance.lux", "5e3", 5000],
    ["carbon_dioxide", "ppm", "AirQuality.co2", "600", 600],
    ["pm25", "µg/m³", "AirQuality.pm25", "7", 7],
    ["pm25", "μg/m³", "AirQuality.pm25", "7", 7],
    ["volatile_organic_compounds_parts", "ppb", "AirQuality.voc", "90", 90],
    ["battery", "%", "Battery.percent", "87", 87],
    ["power", "W", "Electricity.watts", "-12.5", -12.5],
    ["power", "kW", "Electricity.watts", "1.234", 1234],
    ["voltage", "mV", "Electricity.volts", "3015", 3.015],
    ["frequency", "Hz", "Electricity.hertz", "50.1", 50.1],
    ["current", "mA", "Electricity.amperes", "250", 0.25],
    ["energy", "Wh", "Electricity.energy", "1500", 1.5],
    ["signal_strength", "dBm", "Signal.rssi", "-61", -61],
    ["duration", "s", "Readings.it", "5", 5],
    ["pressure", "bar", "Readings.it", "1.6", 1.6],
    ["temperature", undefined, "Readings.it", "21", 21],
  ] as const)("of %s in %s is %s", ([device_class, unit_of_measurement, property, message, value]) => {
    const device = deviceWith("sensor", { state_topic: "s", device_class, unit_of_measurement });
    expect(Object.keys(described(device))).toEqual([property.replace(".", ":0.")]);
    expect(read(device, property, message)).toBe(value);
  });

  test.for([
    ["None", null],
    ["unknown", null],
    ["", null],
    ["abc", null],
    ["NaN", null],
    ["Infinity", null],
  ] as const)("that measures says by %j: %j", ([message, value]) => {
    const device = deviceWith("sensor", { state_topic: "s", state_class: "measurement" });
    expect(read(device, "Readings.it", message)).toBe(value);
  });

  test("of the device's own temperature is not that of its surroundings", () => {
    const options = { state_topic: "s", device_class: "temperature", unit_of_measurement: "°C" };
    const device = deviceWith("sensor", { ...options, entity_category: "diagnostic", name: "Device temperature" });
    expect(described(device)).toEqual({ "Readings:0.deviceTemperature": "rn" });
  });

  test("of words has one of them, and of any text the text", () => {
    const device = deviceWith("sensor", { state_topic: "s", device_class: "enum", options: ["idle", "busy"] });
    expect(propertyAt(device, "Readings.it").description).toMatchObject({ type: "string", values: ["idle", "busy"] });
    expect(["busy", "late", "None"].map((word) => read(device, "Readings.it", word))).toEqual(["busy", null, null]);
    expect(read(deviceWith("sensor", { state_topic: "s" }), "Readings.it", "unknown")).toBe(null);
  });

  test("has its unit, unless it is longer than units are", () => {
    const unit = (unit_of_measurement: string) =>
      propertyAt(deviceWith("sensor", { state_topic: "s", unit_of_measurement }), "Readings.it").description.unit;
    expect([unit("lqi"), unit("x".repeat(17))]).toEqual(["lqi", undefined]);
  });
});

describe("a binary sensor", () => {
  test.for([
    ["motion", "Motion.detected"],
    ["occupancy", "Occupancy.occupied"],
    ["presence", "Occupancy.occupied"],
    ["door", "Contact.open"],
    ["garage_door", "Contact.open"],
    ["window", "Contact.open"],
    ["moisture", "WaterLeak.detected"],
    ["smoke", "Smoke.detected"],
    ["carbon_monoxide", "CarbonMonoxide.detected"],
    ["tamper", "Tamper.detected"],
    ["battery", "Battery.low"],
    ["vibration", "Readings.it"],
    [undefined, "Readings.it"],
  ] as const)("of %s is %s", ([device_class, property]) => {
    const device = deviceWith("binary_sensor", { state_topic: "s", device_class });
    expect(["ON", "OFF", "None", "x"].map((word) => read(device, property, word))).toEqual([true, false, null, null]);
  });

  test("has truth values for words where its template gives some", () => {
    const words = { payload_on: true, payload_off: false, value_template: "{{ value_json.contact }}" };
    const device = deviceWith("binary_sensor", { state_topic: "s", device_class: "door", ...words });
    expect([true, false].map((contact) => read(device, "Contact.open", { contact }))).toEqual([true, false]);
  });

  test("that need not say that it is over is over by the clock", () => {
    const device = deviceWith("binary_sensor", { state_topic: "s", device_class: "motion", off_delay: 5 });
    expect(described(device)).toEqual({ "Motion:0.detected": "rn" });
  });
});
