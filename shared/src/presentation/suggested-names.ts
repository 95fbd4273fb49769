/** Suggests names for devices without a name, by their kind; each name is unique in a home. */

/** Names for devices with one of these service classes, the most specific class first. */
const KINDS: readonly (readonly [name: string, ...classes: string[]])[] = [
  ["Lock", "Lock"],
  ["Thermostat", "Thermostat"],
  ["Blind", "Cover"],
  ["Valve", "Valve"],
  ["Fan", "Fan"],
  ["Lamp", "LightLevel", "LightColor", "LightTemperature"],
  ["Smoke alarm", "Smoke"],
  ["Carbon monoxide alarm", "CarbonMonoxide"],
  ["Leak sensor", "WaterLeak"],
  ["Door sensor", "Contact"],
  ["Motion sensor", "Motion", "Occupancy"],
  ["Button", "Button"],
  ["Switch", "Switch"],
  ["Climate sensor", "Temperature", "Humidity", "Pressure", "AirQuality"],
  ["Light sensor", "Illuminance"],
  ["Energy meter", "Electricity"],
];

/** The known facts about a device without a name. */
export interface NamelessDevice {
  readonly id: string;
  /** Names of its service classes. */
  readonly services: readonly string[];
  /** Name of the product, for a device without a standard class. */
  readonly model: string | undefined;
}

/** Suggestions by device ID: "Lamp", "Lamp 2". @param taken names in use in the home; case is ignored */
export function suggestedNames(
  devices: readonly NamelessDevice[],
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = lowered(taken);
  return new Map(
    devices.map((device) => {
      const name = unused(baseName(device), used);
      used.add(name.toLowerCase());
      return [device.id, name];
    }),
  );
}

function baseName({ services, model }: NamelessDevice): string {
  const kind = KINDS.find(([, ...classes]) => classes.some((each) => services.includes(each)));
  return kind?.[0] ?? (model?.trim().slice(0, 48) || "Device");
}

/** The base name, or the base name with the first number from 2 on that is unused in the home. @param taken as above */
export function freeName(base: string, taken: readonly string[]): string {
  return unused(base, lowered(taken));
}

function lowered(names: readonly string[]): Set<string> {
  return new Set(names.map((name) => name.trim().toLowerCase()));
}

function unused(base: string, used: ReadonlySet<string>): string {
  if (!used.has(base.toLowerCase())) return base;
  let number = 2;
  while (used.has(`${base} ${number}`.toLowerCase())) number++;
  return `${base} ${number}`;
}
