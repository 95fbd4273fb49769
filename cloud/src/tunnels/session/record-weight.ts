/**
 * The cost of storing a record relative to others, so that a transaction of a few large records takes no longer than
 * one of many small ones.
 */
import type { HubRecord } from "@porchlight/shared/tunnel";

/** This many characters of a value count as one more record: about the cost of the rest of a record. */
const CHARACTERS = 256;

/** 1 for a record with a short value or none. */
export function recordWeight(record: HubRecord): number {
  const value = "value" in record ? record.value : undefined;
  if (typeof value === "string") return 1 + Math.floor(value.length / CHARACTERS);
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Math.floor(JSON.stringify(value).length / CHARACTERS);
}
