/** Titles of the standard classes and their properties, for pages and programs that show titles and send names. */

export interface ClassTitles {
  /** Title of the class: "Light colour". */
  readonly title: string;
  /** By the property's name, including optional properties. */
  readonly properties: Readonly<Record<string, string>>;
}

const titles = (title: string, properties: Readonly<Record<string, string>>): ClassTitles => ({ title, properties });

export const CATALOGUE_TITLES: ReadonlyMap<string, ClassTitles> = new Map([
  ["Switch", titles("Switch", { on: "Power", startUp: "After a power cut" })],
  ["LightLevel", titles("Brightness", { level: "Brightness", target: "Target brightness" })],
  ["LightColor", titles("Colour", { hue: "Hue", saturation: "Saturation" })],
  ["LightTemperature", titles("Colour temperature", { kelvin: "Colour temperature" })],
  ["Cover", titles("Cover", { position: "Position", movement: "Movement", target: "Target position" })],
  ["Fan", titles("Fan", { on: "Power", speed: "Speed" })],
  ["Lock", titles("Lock", { locked: "Lock", jammed: "Jam" })],
  ["Valve", titles("Valve", { open: "Valve" })],
  ["Thermostat", titles("Heating and cooling", { mode: "Mode", target: "Target temperature", activity: "Activity" })],
  ["Temperature", titles("Temperature", { celsius: "Temperature" })],
  ["Humidity", titles("Humidity", { percent: "Humidity" })],
  ["Pressure", titles("Air pressure", { hectopascal: "Air pressure" })],
  ["Illuminance", titles("Illuminance", { lux: "Illuminance" })],
  ["AirQuality", titles("Air quality", { co2: "CO₂", pm25: "Fine dust (PM2.5)", voc: "Volatile compounds" })],
  ["Motion", titles("Motion", { detected: "Motion" })],
  ["Occupancy", titles("Occupancy", { occupied: "Occupancy" })],
  ["Contact", titles("Contact", { open: "Contact" })],
  ["WaterLeak", titles("Water leak", { detected: "Water" })],
  ["Smoke", titles("Smoke", { detected: "Smoke" })],
  ["CarbonMonoxide", titles("Carbon monoxide", { detected: "Carbon monoxide" })],
  ["Tamper", titles("Tampering", { detected: "Tampering" })],
  ["Button", titles("Button", { event: "Last press" })],
  ["Battery", titles("Battery", { percent: "Battery", low: "Battery low", volts: "Battery voltage" })],
  [
    "Electricity",
    titles("Electricity", {
      watts: "Power draw",
      volts: "Voltage",
      amperes: "Current",
      energy: "Energy used",
      hertz: "Mains frequency",
      produced: "Energy produced",
    }),
  ],
  ["Identify", titles("Identify", { active: "Identifying" })],
  ["Signal", titles("Signal", { rssi: "Signal strength" })],
]);
