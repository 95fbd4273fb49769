/** Converts times between form fields, which hold local time, and the service, which uses UTC. */
import { timeOf } from "./age.tsx";

/** The value of a `datetime-local` field: "2026-11-05T14:03:07". @param ms since 1970 */
export function localTime(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 19);
}

/** The service's "2026-11-05 14:03:07Z"; undefined for an empty field. @param local the field's value */
export function serviceTime(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** The value of a `datetime-local` field for a service time; "" when undefined. */
export function fieldTime(at: string | undefined): string {
  return at === undefined ? "" : localTime(timeOf(at));
}
