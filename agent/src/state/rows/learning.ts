/** Decides what a learned value does to the store: pure, because flash wears out by this rule and the cloud's truth hangs on it. */
import { type Value, valuesEqual } from "@porchlight/shared/model";

/** The value that is stored. */
export interface Known {
  readonly value: Value;
  /** Its number in the history. */
  readonly number: number;
  /** When it was last written to disk, on the monotonic clock, ms. */
  readonly writtenAt: number;
}

/** An equal value is not written to disk more often than this, ms (T6). */
const EQUAL_WRITE_MS = 60_000;

/** `store`: it takes the next number; `keep`: the stored number stands for it. */
export type Learning = "store" | "keep";

/**
 * @param event whether the property can only notify: then every telling is something new
 * @param now on the monotonic clock, ms
 */
export function learn(known: Known | undefined, value: Value, event: boolean, now: number): Learning {
  if (event || !known || !valuesEqual(known.value, value)) return "store";
  return now - known.writtenAt < EQUAL_WRITE_MS ? "keep" : "store";
}
