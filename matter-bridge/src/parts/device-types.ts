/** Device types of Matter with their codes and revisions; a controller chooses its user interface by them. */
import type { DeviceType } from "./part.ts";

const type = (name: string, code: number, revision: number): DeviceType => ({ name, code, revision });

export const DEVICE_TYPES = {
  onOffPlug: type("OnOffPlugInUnit", 0x10a, 4),
  onOffLight: type("OnOffLight", 0x100, 3),
  dimmableLight: type("DimmableLight", 0x101, 3),
  temperatureLight: type("ColorTemperatureLight", 0x10c, 4),
  colorLight: type("ExtendedColorLight", 0x10d, 4),
  windowCovering: type("WindowCovering", 0x202, 6),
  doorLock: type("DoorLock", 0x0a, 4),
  thermostat: type("Thermostat", 0x301, 6),
  fan: type("Fan", 0x2b, 4),
  waterValve: type("WaterValve", 0x42, 1),
  temperatureSensor: type("TemperatureSensor", 0x302, 3),
  humiditySensor: type("HumiditySensor", 0x307, 3),
  pressureSensor: type("PressureSensor", 0x305, 3),
  lightSensor: type("LightSensor", 0x106, 4),
  airQualitySensor: type("AirQualitySensor", 0x2c, 1),
  occupancySensor: type("OccupancySensor", 0x107, 4),
  contactSensor: type("ContactSensor", 0x15, 2),
  waterLeakDetector: type("WaterLeakDetector", 0x43, 2),
  smokeCoAlarm: type("SmokeCoAlarm", 0x76, 1),
  genericSwitch: type("GenericSwitch", 0x0f, 3),
  electricalSensor: type("ElectricalSensor", 0x510, 1),
  powerSource: type("PowerSource", 0x11, 1),
} as const satisfies Readonly<Record<string, DeviceType>>;
