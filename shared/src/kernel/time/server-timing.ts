/** `server-timing`: where the time of a request went (W3C Server Timing), as the service says it and as a client reads it. */

/** @param ms by the name of each part, in order */
export function serverTiming(ms: Readonly<Record<string, number>>): string {
  return Object.entries(ms)
    .map(([name, duration]) => `${name};dur=${Math.round(duration * 1000) / 1000}`)
    .join(", ");
}

/** Milliseconds by name; what cannot be understood is left out. */
export function readServerTiming(header: string | null): Readonly<Record<string, number>> {
  const parts = [...(header ?? "").matchAll(/(?<![\w-])([\w-]+);dur=(\d+(?:\.\d+)?)/g)];
  return Object.fromEntries(parts.map(([, name = "", duration]) => [name, Number(duration)]));
}
