/** One property of one device, as the hub names it everywhere: its own file because every table and every queue is keyed by it. */
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";

export interface PropertyTarget extends PropertyAddress {
  /** edgeId. */
  readonly device: string;
}

/** The target as a key: `00-1B-44-11-3A-B7 LightColor:0.hue`. */
export function targetKey(target: PropertyTarget): string {
  return `${target.device} ${addressKey(target)}`;
}

/** Something that a device said of one of its properties. */
export interface Observed extends PropertyTarget {
  readonly value: Value;
}

/** A value's place in the history. */
export interface Learned {
  readonly n: number;
  readonly observedAt: number;
}
