/** How finely history is shown, in words, and back from what a page's fields give. Pure. */
import type { HistoryResolution } from "@porchlight/shared/api";

export const HISTORY_RESOLUTIONS_SHOWN: readonly (readonly [HistoryResolution, string])[] = [
  ["raw", "Every change"],
  ["5m", "5 minutes"],
  ["1h", "Hours"],
  ["1d", "Days"],
  ["1mo", "Months"],
];

/** Undefined for what is none. */
export function resolutionOf(text: unknown): HistoryResolution | undefined {
  return HISTORY_RESOLUTIONS_SHOWN.find(([value]) => value === text)?.[0];
}
