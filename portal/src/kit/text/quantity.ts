/** Formats measured quantities with their units. */

export { spanOf, tookOf } from "@porchlight/shared/presentation";

/** Formats a clock's skew: "right", "3.2 s ahead", "5 min behind". @param ms positive when the clock is ahead of ours */
export function skewOf(ms: number): string {
  const off = Math.abs(ms);
  if (off < 1000) return "right";
  const amount = off < 60_000 ? `${trimmed(off / 1000, 1)} s` : off < 7_200_000 ? minutes(off) : hours(off);
  return `${amount} ${ms > 0 ? "ahead" : "behind"}`;
}

/** Formats the time left: "now", "40 s", "5 min", "3 h". @param ms time left; zero or less is "now" */
export function untilOf(ms: number): string {
  if (ms < 1000) return "now";
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
  return ms < 7_200_000 ? minutes(ms) : hours(ms);
}

/** Formats an amount of memory or disk space: "512 B", "1.4 MiB", "27 GiB". */
export function bytesOf(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${trimmed(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** Formats a count with its noun: "1 device", "2 devices", "1,234 devices". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const minutes = (ms: number) => `${Math.round(ms / 60_000)} min`;
const hours = (ms: number) => `${Math.round(ms / 3_600_000)} h`;

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
