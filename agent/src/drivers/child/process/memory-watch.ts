/** Watches how much memory of its own a process takes: V8's own limit does not count what is outside of its heap. */
import { readFile } from "node:fs/promises";
import { type Clock, every } from "@porchlight/shared/kernel";

const LOOK_MS = 10_000;

export interface MemoryWatch {
  /** What it has now is the program's own, and counts for nobody's driver. */
  begin(): void;
  /** What it had when it was last looked at, MB. */
  readonly seenMb: number | undefined;
  end(): void;
}

/** Private memory of a process, MB: `RssAnon` of its status; undefined when it cannot be read. */
export async function privateMegabytes(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

/**
 * @param mostMb what it may take beyond what it had at `begin`
 * @param over told once, with what it has taken, MB
 */
export function watchMemory(clock: Clock, pid: number, mostMb: number, over: (mb: number) => void): MemoryWatch {
  let seenMb: number | undefined;
  let ownMb = 0;
  let isOver = false;
  const look = async () => {
    seenMb = (await privateMegabytes(pid)) ?? seenMb;
    if (isOver || seenMb === undefined || seenMb - ownMb <= mostMb) return;
    isOver = true;
    over(seenMb - ownMb);
  };
  const timer = every(clock, "memory of a child", LOOK_MS, () => void look());
  return {
    begin: () =>
      void privateMegabytes(pid).then((mb) => {
        ownMb = mb ?? 0;
      }),
    get seenMb() {
      return seenMb;
    },
    end: () => {
      isOver = true;
      timer.cancel();
    },
  };
}
