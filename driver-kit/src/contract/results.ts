/** The results of an attempt, by what is known of the device afterwards. */
import type { Value } from "@porchlight/shared/model";
import type { DriverResult } from "./driver.ts";

export type FailedResult = Extract<DriverResult, { kind: "failed" }>;

export function valueResult(value: Value): DriverResult {
  return { kind: "value", value };
}

/** Nothing has touched the device. */
export function notApplied(detail: string): FailedResult {
  return { kind: "failed", name: "Device Unreachable", outcome: "not_applied", detail };
}

/** It may or may not have acted. */
export function unknownOutcome(
  detail: string,
  name: "Device Unreachable" | "Hub Timeout" = "Device Unreachable",
): FailedResult {
  return { kind: "failed", name, outcome: "unknown", detail };
}

/** The device refused. */
export function rejected(detail: string): FailedResult {
  return { kind: "failed", name: "Device Rejected", outcome: "rejected", detail };
}
