/** Times as a field of the browser has them, in the time zone of who looks, and as the service has them. */
import { timeOf } from "../../kit/text/age.tsx";

/** The service's time of what a `datetime-local` field holds; undefined when it holds none. */
export function serviceTime(local: string): string | undefined {
  const time = Date.parse(local);
  if (local === "" || Number.isNaN(time)) return undefined;
  return `${new Date(time).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** What such a field shows of the service's time; "" for none. */
export function fieldTime(at: string | undefined): string {
  const time = at === undefined ? Number.NaN : timeOf(at);
  if (Number.isNaN(time)) return "";
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 19);
}
