/** The header `Prefer` (RFC 7240), as far as the API supports it: how long a caller is willing to wait. */

export interface Preference {
  /** How long to wait, ms. */
  readonly waitMs: number;
  /** `preference-applied` of the answer; undefined when the request has no valid preference. */
  readonly applied: string | undefined;
}

const DEFAULT_SECONDS = 10;
const MOST_SECONDS = 60;

export function readPrefer(header: string | undefined): Preference {
  const asked = header === undefined ? undefined : waitOf(header);
  if (asked === undefined) return { waitMs: DEFAULT_SECONDS * 1000, applied: undefined };
  const seconds = Math.min(MOST_SECONDS, Math.max(1, asked));
  return { waitMs: seconds * 1000, applied: `wait=${seconds}` };
}

/** Whether a caller prefers not to wait at all. @param header `prefer` */
export function prefersAsync(header: string | undefined): boolean {
  return header?.split(",").some((one) => one.split(";")[0]?.trim().toLowerCase() === "respond-async") ?? false;
}

/** Seconds of the first `wait` preference. Later ones must be ignored, and so must an invalid one. */
function waitOf(header: string): number | undefined {
  for (const preference of header.split(",")) {
    const [token = ""] = preference.split(";");
    const [name = "", value = ""] = token.split("=");
    if (name.trim().toLowerCase() !== "wait") continue;
    const digits = /^\s*(?:"(\d{1,9})"|(\d{1,9}))\s*$/.exec(value);
    return digits ? Number(digits[1] ?? digits[2]) : undefined;
  }
  return undefined;
}

/** The response header that states which preference was applied. */
export function preferenceApplied(applied: string | undefined): Readonly<Record<string, string>> {
  return applied === undefined ? {} : { "preference-applied": applied };
}
