/** `server-timing` (W3C Server Timing): the parts of a request's time; the service writes it and clients parse it. */

/** @param ms by the name of each part, in order */
export function serverTiming(ms: Readonly<Record<string, number>>): string {
  return Object.entries(ms)
    .map(([name, duration]) => `${name};dur=${Math.round(duration * 1000) / 1000}`)
    .join(", ");
}

/** Milliseconds by name; entries that cannot be parsed are left out. */
export function readServerTiming(header: string | null): Readonly<Record<string, number>> {
  const parts = [...(header ?? "").matchAll(/(?<![\w-])([\w-]+);dur=(\d+(?:\.\d+)?)/g)];
  return Object.fromEntries(parts.map(([, name = "", duration]) => [name, Number(duration)]));
}
