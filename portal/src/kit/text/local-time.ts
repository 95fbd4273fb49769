/** Times between a field of a form, which has them local, and the service, which has them in UTC. */
import { timeOf } from "./age.tsx";

/** For a field of type `datetime-local`: "2026-11-05T14:03:07". @param ms since 1970 */
export function localTime(ms: number): string {
  const offset = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 19);
}

/** The service's "2026-11-05 14:03:07Z"; undefined for a field that is empty. @param local as the field has it */
export function serviceTime(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** For a field of type `datetime-local`, from the service's time; "" without one. */
export function fieldTime(at: string | undefined): string {
  return at === undefined ? "" : localTime(timeOf(at));
}
