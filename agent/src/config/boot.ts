/** Identifies the current start of the machine, so that moments of an earlier life of the agent can be compared with those of this one. */
import { readFileSync } from "node:fs";
import { monotonicZero } from "@porchlight/shared/kernel";

/** Undefined where the system does not provide it. */
export function machineBoot(): { readonly id: string; readonly zero: number } | undefined {
  try {
    return { id: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), zero: monotonicZero() };
  } catch {
    return undefined;
  }
}
