/** Errors that a component reports: which of them mean that what it measures is not known. Pure. */
import type { ShellyProperty } from "./shelly-property.ts";

/** What a component reports of its load, its supply or its own doing, the part before a colon: its values stand. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...["overtemp", "overpower", "overvoltage", "undervoltage", "overcurrent"],
  ...["obstruction", "safety_switch", "cal_abort", "phase_sequence", "no_load", "low_battery", "power_loss"],
]);
const ERRORS = ["errors"];

/** The property without a value while its component reports that it cannot measure: `read`, `out_of_range`, any error that is not known. */
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
