/** Selects the values that best describe a device's state, for places with room for only a few. */
import type { PropertyDescriptor, ServiceDescriptor } from "@porchlight/shared/api";

/** A value with its service. */
export interface TellingValue extends PropertyDescriptor {
  readonly service: string;
  readonly index: string;
}

/** The order of relevance to users. Other properties follow; properties of the device itself come last. */
const FIRST = [
  "Smoke.detected",
  "CarbonMonoxide.detected",
  "WaterLeak.detected",
  "Lock.locked",
  "Contact.open",
  "Motion.detected",
  "Occupancy.occupied",
  "Switch.on",
  "Fan.on",
  "Valve.open",
  "Cover.position",
  "Button.event",
  "Temperature.celsius",
  "Thermostat.target",
  "Thermostat.mode",
  "LightLevel.level",
  "LightColor.hue",
  "Humidity.percent",
  "Electricity.watts",
];
const LAST = [
  "LightColor.saturation",
  "Lock.jammed",
  "Cover.movement",
  "Battery.percent",
  "Battery.low",
  "Signal.rssi",
  "Identify.active",
];

/** Services about the device itself, which describe nothing of the home. */
const OF_THE_DEVICE: ReadonlySet<string> = new Set(["Identify", "Signal", "Settings", "Readings"]);

export type Telling =
  | { readonly kind: "value"; readonly item: TellingValue }
  /** Hue and saturation combined. */
  | { readonly kind: "colour"; readonly hue: TellingValue; readonly saturation: TellingValue };

/** All values of the services. */
export function valuesOf(services: readonly ServiceDescriptor[]): readonly TellingValue[] {
  return services.flatMap(({ service, index, properties }) =>
    properties.filter(({ value }) => value !== undefined).map((each) => ({ ...each, service, index })),
  );
}

/** At most `most` values of a device, the most informative first. */
export function tellingOf(items: readonly TellingValue[], most = 3): readonly Telling[] {
  const sorted = items.toSorted((one, other) => rankOf(one) - rankOf(other));
  const found: Telling[] = [];
  for (const item of sorted) {
    if (OF_THE_DEVICE.has(item.service) || isQuiet(item)) continue;
    // A lamp that shows a colour retains an outdated colour temperature.
    if (item.service === "LightTemperature" && items.some(({ service }) => service === "LightColor")) continue;
    if (item.service === "LightColor" && item.property === "saturation" && hasPartner(item, items, "hue")) continue;
    const saturation = items.find((each) => isPartner(each, item, "saturation"));
    const isColour = item.service === "LightColor" && item.property === "hue" && saturation !== undefined;
    found.push(isColour ? { kind: "colour", hue: item, saturation } : { kind: "value", item });
  }
  return found.slice(0, most);
}

/** Whether a value only reports that there is no problem. */
function isQuiet({ service, property, value }: TellingValue): boolean {
  const name = `${service}.${property}`;
  return value === false && (name === "Battery.low" || name === "Lock.jammed" || name === "Tamper.detected");
}

function hasPartner(item: TellingValue, items: readonly TellingValue[], property: string): boolean {
  return items.some((each) => isPartner(each, item, property));
}

function isPartner(each: TellingValue, item: TellingValue, property: string): boolean {
  return each.service === item.service && each.index === item.index && each.property === property;
}

function rankOf({ service, property, value }: TellingValue): number {
  const name = `${service}.${property}`;
  // An empty battery comes first.
  if (name === "Battery.low" && value === true) return -1;
  const first = FIRST.indexOf(name);
  if (first !== -1) return first;
  const last = LAST.indexOf(name);
  return FIRST.length + (last === -1 ? 0 : 1 + last);
}
