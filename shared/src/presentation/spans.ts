/** Durations in words. */

/** The duration of an operation: "0.4 ms", "12 ms", "1.2 s". @param ms not negative */
export function tookOf(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${trimmed(ms / 1000, 1)} s`;
}

/** The age of a state in its two largest units: "40 s", "5 min", "3 h 12 min", "12 d 4 h". */
export function spanOf(ms: number): string {
  const inMinutes = Math.floor(ms / 60_000);
  const inHours = Math.floor(inMinutes / 60);
  if (inMinutes < 1) return `${Math.floor(ms / 1000)} s`;
  if (inHours < 1) return `${inMinutes} min`;
  if (inHours < 24) return `${inHours} h ${inMinutes % 60} min`;
  return `${Math.floor(inHours / 24)} d ${inHours % 24} h`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** A whole number of the largest unit that divides the time: "5 days", "24 hours", "an hour", "15 seconds". A day is 24 hours. */
export function durationWords(ms: number): string {
  const [unit, length] = UNITS.find(([name, of]) => ms % of === 0 && (name !== "day" || ms > of)) ?? ["ms", 1];
  const count = ms / length;
  if (count === 1) return unit === "hour" ? "an hour" : `a ${unit}`;
  return `${count} ${unit}s`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
