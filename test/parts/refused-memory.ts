/** A process that the system gives no more memory: what a machine or a unit whose memory is full does to it, short of ending it at once (SIGKILL). */
import { execFileSync } from "node:child_process";

/** It dies of the next memory that it needs, without a message. Needs util-linux. @throws Error with the output of `prlimit` */
export function refuseMemory(pid: number): void {
  execFileSync("prlimit", ["--pid", String(pid), "--data=1"], { stdio: ["ignore", "ignore", "pipe"] });
}
