/** Describes quotas by their API names, which match the settings. */

/** "Devices per environment" for "devicesPerEnvironment"; works for quotas that a newer service adds as well. */
export function quotaWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const MEGABYTE = 1_000_000;

/** "1.2" for 1,234,567 bytes, "less than 0.1" for a few bytes, and "0" for none. */
export function megabytes(bytes: number): string {
  if (bytes === 0) return "0";
  if (bytes > 0 && bytes < 50_000) return "less than 0.1";
  return (bytes / MEGABYTE).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

type Fill = "plenty" | "near" | "full";

/** From four fifths of the limit on the state is "near". */
export function fillOf(used: number, limit: number): Fill {
  if (used >= limit) return "full";
  return used >= limit * 0.8 ? "near" : "plenty";
}

interface RatePolicy {
  /** Number of requests per window. */
  readonly quota: number;
  /** In seconds. */
  readonly window: number;
}

/** Parses the header `RateLimit-Policy`: `"default";q=400;w=2`. */
export function policyOf(header: string): RatePolicy | undefined {
  const quota = /;\s*q=(\d+)/.exec(header)?.[1];
  const window = /;\s*w=(\d+)/.exec(header)?.[1];
  return quota === undefined ? undefined : { quota: Number(quota), window: Number(window ?? 1) };
}
