/** Quotas in words: the API names them as the settings do. */

/** "Devices per environment" of "devicesPerEnvironment"; a quota that a newer service has is told likewise. */
export function quotaWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const MEGABYTE = 1_000_000;

/** "1.2" of 1,234,567 bytes, "less than 0.1" of few, and "0" of none. */
export function megabytes(bytes: number): string {
  if (bytes === 0) return "0";
  if (bytes > 0 && bytes < 50_000) return "less than 0.1";
  return (bytes / MEGABYTE).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

export type Fill = "plenty" | "near" | "full";

/** From four fifths on it is near. */
export function fillOf(used: number, limit: number): Fill {
  if (used >= limit) return "full";
  return used >= limit * 0.8 ? "near" : "plenty";
}

export interface RatePolicy {
  /** Requests that can be made in the window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

/** Of the header `RateLimit-Policy`: `"default";q=400;w=2`. */
export function policyOf(header: string): RatePolicy | undefined {
  const quota = /;\s*q=(\d+)/.exec(header)?.[1];
  const window = /;\s*w=(\d+)/.exec(header)?.[1];
  return quota === undefined ? undefined : { quota: Number(quota), window: Number(window ?? 1) };
}
