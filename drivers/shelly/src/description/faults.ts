/** Errors of components, and which of them invalidate the measured values. Pure. */
import type { ShellyProperty } from "./shelly-property.ts";

/** Errors about load, supply or operation (the part before a colon): the component's values stay valid. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...["overtemp", "overpower", "overvoltage", "undervoltage", "overcurrent"],
  ...["obstruction", "safety_switch", "cal_abort", "phase_sequence", "no_load", "low_battery", "power_loss"],
]);
const ERRORS = ["errors"];

/** Makes the value `null` while its component reports that it cannot measure: `read`, `out_of_range`, or any unknown error. */
export function endingWithFaults(property: ShellyProperty): ShellyProperty {
  const { read, command, faults = command ? [] : ERRORS } = property;
  if (!read || faults.length === 0) return property;
  return {
    ...property,
    read: (status) => {
      const value = read(status);
      return value !== undefined && faults.some((member) => isFaulty(status[member])) ? null : value;
    },
  };
}

export function isFaulty(errors: unknown): boolean {
  if (errors === undefined || errors === null || errors === "") return false;
  const all: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  return all.some((each) => typeof each !== "string" || !CONDITIONS.has(each.split(":")[0] ?? ""));
}
