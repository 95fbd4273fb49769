/** Power and energy: the meters inside relays, lights and covers, and stand-alone meters. */
import {
  custom,
  type DescribedComponent,
  has,
  readsNumber,
  type ShellyComponent,
  type ShellyProperty,
  standard,
} from "./shelly-property.ts";

const KILO = 0.001;
const PHASES = ["a", "b", "c"] as const;

/** Properties of the meter inside a component; empty when it has none. */
export function metering(of: ShellyComponent): ShellyProperty[] {
  return [
    ...meter(of, "watts", "apower"),
    ...meter(of, "volts", "voltage"),
    ...meter(of, "amperes", "current"),
    ...meter(of, "hertz", "freq"),
    ...energy(of, "energy", ["aenergy", "total"]),
    ...energy(of, "produced", ["ret_aenergy", "total"]),
    ...powerFactor(of, "pf"),
    ...deviceTemperature(of),
  ];
}

/** `pm1`: a meter without a relay. */
export function powerMeter(of: ShellyComponent): DescribedComponent {
  return { properties: metering(of) };
}

/** `em1`: one phase of an energy meter; `em1data` has its counters. */
export function phaseMeter(of: ShellyComponent): DescribedComponent {
  return {
    properties: [
      ...meter(of, "watts", "act_power"),
      ...meter(of, "volts", "voltage"),
      ...meter(of, "amperes", "current"),
      ...meter(of, "hertz", "freq"),
      ...powerFactor(of, "pf"),
      ...apparent(of, "aprt_power"),
    ],
  };
}

/** `em1data`: counters of one phase. */
export function phaseCounters(of: ShellyComponent): DescribedComponent {
  return {
    properties: [...energy(of, "energy", ["total_act_energy"]), ...energy(of, "produced", ["total_act_ret_energy"])],
  };
}

/** `em`: three phases. Instance 0 of four is the sum, the next three are the phases. */
export function threePhaseMeter(of: ShellyComponent): DescribedComponent {
  const [total, ...phases] = instances(of);
  return {
    properties: [
      ...withFaults(PHASES.map(errorsOf), [
        ...meter(of, "watts", "total_act_power", total),
        ...meter(of, "amperes", "total_current", total),
        ...apparent(of, "total_aprt_power", total),
      ]),
      ...(has(of, "n_current")
        ? custom(
            of,
            { property: "neutralCurrent", type: "number", unit: "A" },
            { read: readsNumber(["n_current"]), faults: ["errors", "n_errors"] },
            { index: total },
          )
        : []),
      ...PHASES.flatMap((phase, at) =>
        withFaults(
          [errorsOf(phase)],
          [
            ...meter(of, "watts", `${phase}_act_power`, phases[at]),
            ...meter(of, "volts", `${phase}_voltage`, phases[at]),
            ...meter(of, "amperes", `${phase}_current`, phases[at]),
            ...meter(of, "hertz", `${phase}_freq`, phases[at]),
            ...powerFactor(of, `${phase}_pf`, phases[at]),
            ...apparent(of, `${phase}_aprt_power`, phases[at]),
          ],
        ),
      ),
    ],
  };
}

function errorsOf(phase: string): string {
  return `${phase}_errors`;
}

/** An error of a phase invalidates the values of that phase; any error invalidates the sum. */
function withFaults(members: readonly string[], properties: readonly ShellyProperty[]): ShellyProperty[] {
  return properties.map((each) => ({ ...each, faults: ["errors", ...members] }));
}

/** `emdata`: counters of three phases and their sum. */
export function threePhaseCounters(of: ShellyComponent): DescribedComponent {
  const [total, ...phases] = instances(of);
  return {
    properties: [
      ...energy(of, "energy", ["total_act"], total),
      ...energy(of, "produced", ["total_act_ret"], total),
      ...PHASES.flatMap((phase, at) => [
        ...energy(of, "energy", [`${phase}_total_act_energy`], phases[at]),
        ...energy(of, "produced", [`${phase}_total_act_ret_energy`], phases[at]),
      ]),
    ],
  };
}

/** `voltmeter`: a voltage; the converted value `xvoltage` is not described. */
export function voltmeter(of: ShellyComponent): DescribedComponent {
  return { properties: meter(of, "volts", "voltage"), isPartial: has(of, "xvoltage") };
}

/** Internal temperature of the device. */
export function deviceTemperature(of: ShellyComponent): ShellyProperty[] {
  const member = ["temperature", "tC"];
  if (!has(of, ...member)) return [];
  return custom(of, { property: "deviceTemperature", type: "number", unit: "°C" }, { read: readsNumber(member) });
}

function instances({ id }: ShellyComponent): number[] {
  return [0, 1, 2, 3].map((at) => 4 * id + at);
}

function meter(of: ShellyComponent, property: string, member: string, index = of.id): ShellyProperty[] {
  return has(of, member) ? standard(of, `Electricity.${property}`, { read: readsNumber([member]) }, {}, index) : [];
}

/** Converts watt-hours of the device to kilowatt-hours. */
function energy(of: ShellyComponent, property: string, path: readonly string[], index = of.id): ShellyProperty[] {
  return has(of, ...path) ? standard(of, `Electricity.${property}`, { read: readsNumber(path, KILO) }, {}, index) : [];
}

function powerFactor(of: ShellyComponent, member: string, index = of.id): ShellyProperty[] {
  if (!has(of, member)) return [];
  return custom(of, { property: "powerFactor", type: "number" }, { read: readsNumber([member]) }, { index });
}

function apparent(of: ShellyComponent, member: string, index = of.id): ShellyProperty[] {
  if (!has(of, member)) return [];
  const description = { property: "apparentPower", type: "number", unit: "VA" } as const;
  return custom(of, description, { read: readsNumber([member]) }, { index });
}
