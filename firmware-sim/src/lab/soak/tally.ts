/** What a soak has counted, and whether its limits hold. */
import type { KindTimes } from "../shell/times.ts";
import type { Limit, Most, RunCount } from "./limits.ts";

/** A rule that the board broke unasked, and how often. */
export interface BrokenRule {
  readonly rule: string;
  /** What happened the first time. */
  readonly what: string;
  readonly times: number;
}

export interface Soaked {
  /** Wall-clock ms. */
  readonly startedAt: number;
  readonly ms: number;
  readonly commands: number;
  readonly failed: number;
  /** What the first failed commands said. */
  readonly failures: readonly string[];
  readonly reboots: number;
  readonly broken: readonly BrokenRule[];
  /** Of the board by itself. */
  readonly reports: number;
  /** By kind of request; `ALL` is all of them. */
  readonly kinds: readonly KindTimes[];
  /** Why it ended before its time. */
  readonly ended?: { readonly by: "signal" | "board"; readonly why: string } | undefined;
}

/** A limit and what was measured. */
export interface Judged {
  readonly limit: Limit;
  readonly holds: boolean;
  /** In words. */
  readonly measured: string;
}

export function judge(soaked: Soaked, limits: readonly Limit[]): readonly Judged[] {
  return limits.map((limit) => judgeOne(soaked, limit));
}

function judgeOne(soaked: Soaked, limit: Limit): Judged {
  if (limit.of === "run") {
    const all = limit.figure === "commands failed" ? soaked.commands : undefined;
    return counted(limit, runCount(soaked, limit.figure), all, limit.most);
  }
  const kind = soaked.kinds.find((each) => each.kind === limit.kind);
  // A limit of what was never asked would be green for ever.
  if (!kind) return { limit, holds: false, measured: `no ${limit.kind} was sent` };
  if (limit.of === "count")
    return counted(limit, kind[limit.figure], limit.figure === "lost" ? kind.tries : kind.requests, limit.most);
  const ms = kind[limit.figure];
  if (ms === undefined) return { limit, holds: false, measured: `no ${limit.kind} was answered` };
  return { limit, holds: ms < limit.ms, measured: `${ms.toFixed(1)} ms` };
}

function runCount({ failed, reboots, broken }: Soaked, figure: RunCount): number {
  switch (figure) {
    case "commands failed":
      return failed;
    case "board reboots":
      return reboots;
    case "board broken":
      return broken.reduce((sum, { times }) => sum + times, 0);
  }
}

function counted(limit: Limit, count: number, all: number | undefined, most: Most): Judged {
  const share = all === undefined || all === 0 ? 0 : count / all;
  const holds = "number" in most ? count < most.number : share < most.share;
  const measured = all === undefined ? String(count) : `${count} of ${all} (${(100 * share).toFixed(3)} %)`;
  return { limit, holds, measured };
}
