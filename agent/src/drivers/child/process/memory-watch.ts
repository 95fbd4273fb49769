/** Watches how much memory of its own a process takes: V8's own limit does not count what is outside of its heap. */
import { readFileSync } from "node:fs";
import { type Clock, every } from "@porchlight/shared/kernel";

const LOOK_MS = 10_000;

export interface MemoryWatch {
  /** What it has now is the program's own, and counts for nobody's driver. */
  begin(): void;
  /** What it had when it was last looked at, MB. */
  readonly seenMb: number | undefined;
  end(): void;
}

/** Private memory of a process, MB: `RssAnon` of its status; undefined when it cannot be read. No disk is read for it. */
function privateMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/**
 * @param pid of the process, each time that it is looked at
 * @param mostMb what it may take beyond what it had at `begin`
 * @param over told once, with what it has taken, MB
 */
export function watchMemory(clock: Clock, pid: () => number, mostMb: number, over: (mb: number) => void): MemoryWatch {
  let seenMb: number | undefined;
  let ownMb = 0;
  let isOver = false;
  const look = () => {
    seenMb = privateMegabytes(pid()) ?? seenMb;
    if (isOver || seenMb === undefined || seenMb - ownMb <= mostMb) return;
    isOver = true;
    over(seenMb - ownMb);
  };
  const timer = every(clock, "memory of a child", LOOK_MS, look);
  return {
    begin: () => {
      ownMb = privateMegabytes(pid()) ?? 0;
    },
    get seenMb() {
      return seenMb;
    },
    end: () => {
      isOver = true;
      timer.cancel();
    },
  };
}
