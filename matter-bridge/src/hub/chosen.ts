/** Selects the devices to present: all of the hub's, or those in the settings. Pure. */
import type { Device } from "@porchlight/shared/api";

export interface Choice {
  /** IDs, edgeIds or aliases. */
  readonly show: "all" | readonly string[];
  readonly hide: readonly string[];
}

/** Transport of devices that came to the hub through Matter; a controller can pair with them directly. */
const FROM_MATTER = /^matter\b/i;

export function isChosen({ id, edgeId, alias, meta, type }: Device, { show, hide }: Choice): boolean {
  const names = [id, edgeId, alias].filter((name) => typeof name === "string");
  const isNamed = (list: readonly string[]) => names.some((name) => list.includes(name));
  if (type !== "physical" || isNamed(hide)) return false;
  if (show !== "all") return isNamed(show);
  const transport = meta?.["$.transport"];
  return !(typeof transport === "string" && FROM_MATTER.test(transport));
}
