/** Whether what a device tells confirms what was set. */
import { movesTo } from "@porchlight/driver-kit";
import { type Value, valuesEqual } from "@porchlight/shared/model";
import type { MqttProperty } from "./mqtt-device.ts";

type Confirmed = Pick<MqttProperty, "description" | "isGoal" | "tolerance">;

/**
 * @param asked what is set
 * @param from what it was before; undefined when that is not known
 */
export function confirmation(property: Confirmed, asked: Value, from: Value | undefined): (now: Value) => boolean {
  const { isGoal, tolerance = 0 } = property;
  if (isGoal && typeof asked === "number")
    return movesTo(asked, typeof from === "number" ? from : undefined, tolerance);
  return (now) => isSame(property, asked, now);
}

/** Told values are rounded to six decimals. */
const ROUNDING = 1e-6;

/** Numbers within what the device can tell apart; of an angle, 0 and 360 degrees are the same. */
function isSame({ description, tolerance = 0 }: Confirmed, asked: Value, now: Value): boolean {
  if (typeof asked !== "number" || typeof now !== "number") return valuesEqual(asked, now);
  const apart = Math.abs(asked - now);
  const isAngle = description.unit === "deg" && description.min === 0 && description.max === 360;
  return Math.min(apart, isAngle ? 360 - apart : apart) <= tolerance + ROUNDING;
}
