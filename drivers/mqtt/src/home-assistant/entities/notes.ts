/** What of a device's description is left aside: how often for which reason, and in words where a person can do something about it. */

/** Most sentences that one device keeps. */
const MOST_PROBLEMS = 50;

export class Notes {
  readonly counts: Record<string, number> = {};
  readonly problems: string[] = [];

  /** @param problem a sentence that names the topic */
  leaveAside(reason: string, problem?: string): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    if (problem !== undefined && this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }
}
