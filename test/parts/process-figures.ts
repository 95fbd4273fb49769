/** What the kernel counts of a process of Linux: its processor time and memory. */
import { readFileSync } from "node:fs";

/** Ticks of processor time a second (Linux, USER_HZ). */
const TICKS = 100;

/** Processor time that a process has used so far, seconds. */
export function processorSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Processor time of those of its children that have ended, seconds. */
export function endedChildrenSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** Fields of `/proc/PID/stat` (proc(5)) from the state on. */
function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
}

/** A field of `/proc/PID/status` that is in kB, in bytes: such as `VmRSS` or `RssAnon`. */
export function memoryBytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return 1024 * Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1]);
}
