/** Decides the effect of a learned value: pure, the whole of T6's numbering rule in one function. */
import { UNKNOWN_TIME, type Value, valuesEqual } from "@porchlight/shared/model";
import type { StoredValue } from "@porchlight/shared/rest";

/** A value as a hub reports it. */
export interface LearnedValue {
  readonly value: Value;
  /** Its number in the hub's history. */
  readonly number: number;
  /** Wall-clock ms, by the hub's clock; `UNKNOWN_TIME` for a value without a time of observation. */
  readonly observedAt: number;
}

export type ValueDecision =
  /** A late value: it changes nothing and causes no event. */
  | { readonly kind: "nothing"; readonly stored: StoredValue }
  /** The same value, confirmed again. */
  | { readonly kind: "observed"; readonly stored: StoredValue }
  /** Another value: stored, with an event. */
  | { readonly kind: "changed"; readonly stored: StoredValue; readonly previous: StoredValue | undefined }
  /** An occurrence of a notify-only property that is older than the stored one: reported, not stored. */
  | { readonly kind: "reported"; readonly stored: StoredValue };

/**
 * @param notifyOnly every value of such a property is an occurrence, even an equal or a late one
 * @param now wall clock of the cloud
 */
export function decideValue(
  stored: StoredValue | undefined,
  learned: LearnedValue,
  notifyOnly: boolean,
  now: number,
): ValueDecision {
  const value = JSON.stringify(learned.value);
  const at = believedTime(learned.observedAt, now);
  const fresh: StoredValue = { value, number: learned.number, modifiedAt: at, observedAt: at };
  const newer = stored === undefined || learned.number > stored.number;
  if (notifyOnly)
    return newer ? { kind: "changed", stored: fresh, previous: undefined } : { kind: "reported", stored: fresh };
  if (!stored) return { kind: "changed", stored: fresh, previous: undefined };
  // A value with a known time of observation wins over a value without one.
  if (at === UNKNOWN_TIME && stored.observedAt !== UNKNOWN_TIME) return { kind: "nothing", stored };
  if (learned.number < stored.number) return { kind: "nothing", stored };
  const equal = value === stored.value || valuesEqual(learned.value, JSON.parse(stored.value));
  // The stored value's number repeats when an equal value was confirmed.
  if (!equal) return newer ? { kind: "changed", stored: fresh, previous: stored } : { kind: "nothing", stored };
  const observedAt = Math.max(at, stored.observedAt);
  if (!newer && observedAt === stored.observedAt) return { kind: "nothing", stored };
  const modifiedAt = stored.modifiedAt === UNKNOWN_TIME ? observedAt : stored.modifiedAt;
  return { kind: "observed", stored: { ...stored, number: learned.number, modifiedAt, observedAt } };
}

/**
 * Corrects a hub's time, because its clock may be wrong and the hub may send anything; every such time is stored
 * through here. `UNKNOWN_TIME` stays; any other becomes the nearest possible time: a whole millisecond, not before
 * 1970, and not after now.
 * @param stated wall-clock ms, by the hub's clock
 * @param now wall-clock ms, by the cloud's
 */
export function believedTime(stated: number, now: number): number {
  if (stated === UNKNOWN_TIME) return UNKNOWN_TIME;
  return Math.max(0, Math.floor(Math.min(stated, now)));
}
