/**
 * The program and the machine that it runs on: its version, the current start of the machine, and whether its clock has been set since.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { monotonicZero } from "@porchlight/shared/kernel";
import manifest from "../../package.json" with { type: "json" };

export const AGENT_VERSION: string = manifest.version;

/** A real-time clock that agrees with the system's clock this closely is taken as its source, ms. */
const AGREES_MS = 60_000;
/** Exists once systemd-timesyncd has set the clock. */
const SYNCHRONIZED = "run/systemd/timesync/synchronized";
const REAL_TIME_CLOCKS = "sys/class/rtc";

/**
 * @param now the system's clock, ms since 1970
 * @param root for tests: the root of the file system
 * @returns undefined where the system does not provide it
 */
export function isMachineClockSet(now: number, root = "/", platform: string = process.platform): boolean | undefined {
  if (platform !== "linux") return undefined;
  if (existsSync(join(root, SYNCHRONIZED))) return true;
  return realTimeClocks(join(root, REAL_TIME_CLOCKS)).some((at) => Math.abs(at - now) <= AGREES_MS);
}

/** The times of all readable clocks, ms since 1970. A clock without a battery restarts at its epoch, and agrees with nothing. */
function realTimeClocks(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [Number(readFileSync(join(folder, name, "since_epoch"), "utf8")) * 1000];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}

/** Undefined where the system does not provide it. */
export function machineBoot(): { readonly id: string; readonly zero: number } | undefined {
  try {
    return { id: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(), zero: monotonicZero() };
  } catch {
    return undefined;
  }
}
