/** Measured things in words, with their units. */

/** A time that something took: "0.4 ms", "12 ms", "1.2 s". @param ms not negative */
export function tookOf(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${trimmed(ms / 1000, 1)} s`;
}

/** How far a clock is off: "right", "3.2 s ahead", "5 min behind". @param ms ahead of ours when positive */
export function skewOf(ms: number): string {
  const off = Math.abs(ms);
  if (off < 1000) return "right";
  const amount = off < 60_000 ? `${trimmed(off / 1000, 1)} s` : off < 7_200_000 ? minutes(off) : hours(off);
  return `${amount} ${ms > 0 ? "ahead" : "behind"}`;
}

/** How long until something: "now", "40 s", "5 min", "3 h". @param ms until then; past is now */
export function untilOf(ms: number): string {
  if (ms < 1000) return "now";
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`;
  return ms < 7_200_000 ? minutes(ms) : hours(ms);
}

/** An amount of memory or disk: "512 B", "1.4 MiB", "27 GiB". */
export function bytesOf(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${trimmed(value, value < 10 && unit > 0 ? 1 : 0)} ${units[unit]}`;
}

/** How long something has been so, in its two largest units: "40 s", "5 min", "3 h 12 min", "12 d 4 h". */
export function spanOf(ms: number): string {
  const inMinutes = Math.floor(ms / 60_000);
  const inHours = Math.floor(inMinutes / 60);
  if (inMinutes < 1) return `${Math.floor(ms / 1000)} s`;
  if (inHours < 1) return `${inMinutes} min`;
  if (inHours < 24) return `${inHours} h ${inMinutes % 60} min`;
  return `${Math.floor(inHours / 24)} d ${inHours % 24} h`;
}

/** "1 device", "2 devices", "1,234 devices". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

const minutes = (ms: number) => `${Math.round(ms / 60_000)} min`;
const hours = (ms: number) => `${Math.round(ms / 3_600_000)} h`;

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
