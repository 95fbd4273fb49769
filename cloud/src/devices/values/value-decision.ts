/** Whether a learned value moves anything: pure, the whole of T6's numbering rule in one function. */
import { UNKNOWN_TIME, type Value, valuesEqual } from "@porchlight/shared/model";
import type { StoredValue } from "@porchlight/shared/rest";

/** A value as a hub tells it. */
export interface LearnedValue {
  readonly value: Value;
  /** Its number in the hub's history. */
  readonly number: number;
  /** Wall-clock ms, by the hub's clock; `UNKNOWN_TIME` of what somebody kept. */
  readonly observedAt: number;
}

export type ValueDecision =
  /** A late one: it moves nothing and makes no event. */
  | { readonly kind: "nothing"; readonly stored: StoredValue }
  /** The same value, confirmed anew. */
  | { readonly kind: "observed"; readonly stored: StoredValue }
  /** Another value: stored, with an event. */
  | { readonly kind: "changed"; readonly stored: StoredValue; readonly previous: StoredValue | undefined }
  /** A happening of a notify-only property that is older than the stored one: told, not stored. */
  | { readonly kind: "told"; readonly stored: StoredValue };

/**
 * @param notifyOnly every value of such a property is a happening, equal or late ones too
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
    return newer ? { kind: "changed", stored: fresh, previous: undefined } : { kind: "told", stored: fresh };
  if (!stored) return { kind: "changed", stored: fresh, previous: undefined };
  // What was observed at a known time says more than what somebody kept.
  if (at === UNKNOWN_TIME && stored.observedAt !== UNKNOWN_TIME) return { kind: "nothing", stored };
  if (learned.number < stored.number) return { kind: "nothing", stored };
  const equal = value === stored.value || valuesEqual(learned.value, JSON.parse(stored.value));
  // The number of the stored value comes again when an equal one was confirmed.
  if (!equal) return newer ? { kind: "changed", stored: fresh, previous: stored } : { kind: "nothing", stored };
  const observedAt = Math.max(at, stored.observedAt);
  if (!newer && observedAt === stored.observedAt) return { kind: "nothing", stored };
  const modifiedAt = stored.modifiedAt === UNKNOWN_TIME ? observedAt : stored.modifiedAt;
  return { kind: "observed", stored: { ...stored, number: learned.number, modifiedAt, observedAt } };
}

// What is believed of a time that a hub tells: its clock may be wrong, and it may say anything. Every such time is stored through here.

/**
 * `UNKNOWN_TIME` as it is. Of every other time the nearest time that can be: a whole millisecond, not before 1970, and not after now, since nothing has been observed in the future.
 * @param told wall-clock ms, by the hub's clock
 * @param now wall-clock ms, by the cloud's
 */
export function believedTime(told: number, now: number): number {
  if (told === UNKNOWN_TIME) return UNKNOWN_TIME;
  return Math.max(0, Math.floor(Math.min(told, now)));
}
