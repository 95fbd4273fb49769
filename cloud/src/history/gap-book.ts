/**
 * The gaps of one slice of the log: its events open and close them in memory, and they are written at its end.
 *
 * A hub that was only disconnected continues to observe its devices and later reports what they did: once it is back, there was no
 * gap. A hub whose agent was restarted did not observe them, so the gap stays.
 */
import { type Interval, merged } from "@porchlight/shared/history";
import { type Gap, intervalOf } from "./gap-rows.ts";

export interface GapChanges {
  readonly written: readonly Gap[];
  readonly dropped: readonly Gap[];
}

export class GapBook {
  readonly #gaps = new Map<string, Gap[]>();
  readonly #written = new Map<string, Gap>();
  readonly #dropped = new Map<string, Gap>();
  readonly #merged = new Map<string, Interval[]>();

  /** @param known stored gaps of all subjects of the slice */
  constructor(known: readonly Gap[]) {
    for (const gap of known) this.#of(gap.subjectId).push(gap);
  }

  /** The subject's state is unknown from then on. */
  away(subjectId: string, since: number): void {
    if (this.#open(subjectId)) return;
    this.#put({ subjectId, since, until: null, restarted: false });
  }

  /** The subject reports again. */
  back(subjectId: string, at: number): void {
    const open = this.#open(subjectId);
    if (!open) return;
    if (subjectId.startsWith("cli_") && !open.restarted) this.#remove(open);
    else this.#put({ ...open, until: Math.max(at, open.since) });
  }

  /** The subject's agent was not running from `since` to `at`; an open gap stays open until it is back. */
  restarted(subjectId: string, since: number, at: number): void {
    const open = this.#open(subjectId);
    if (open) this.#put({ ...open, restarted: true });
    else if (since < at) this.#put({ subjectId, since, until: at, restarted: true });
  }

  /** The times at which a gap of at least one of these subjects applies. */
  intervals(subjectIds: readonly string[]): readonly Interval[] {
    const key = subjectIds.join(" ");
    let intervals = this.#merged.get(key);
    if (!intervals) {
      intervals = merged(subjectIds.flatMap((id) => this.#gaps.get(id) ?? []).map(intervalOf));
      this.#merged.set(key, intervals);
    }
    return intervals;
  }

  get changes(): GapChanges {
    return { written: [...this.#written.values()], dropped: [...this.#dropped.values()] };
  }

  #of(subjectId: string): Gap[] {
    const own = this.#gaps.get(subjectId) ?? [];
    this.#gaps.set(subjectId, own);
    return own;
  }

  #open(subjectId: string): Gap | undefined {
    return this.#gaps.get(subjectId)?.find(({ until }) => until === null);
  }

  #put(gap: Gap): void {
    const own = this.#of(gap.subjectId).filter(({ since }) => since !== gap.since);
    this.#gaps.set(gap.subjectId, [...own, gap]);
    this.#written.set(keyOf(gap), gap);
    this.#dropped.delete(keyOf(gap));
    this.#merged.clear();
  }

  #remove(gap: Gap): void {
    this.#gaps.set(
      gap.subjectId,
      this.#of(gap.subjectId).filter(({ since }) => since !== gap.since),
    );
    this.#written.delete(keyOf(gap));
    this.#dropped.set(keyOf(gap), gap);
    this.#merged.clear();
  }
}

function keyOf({ subjectId, since }: Gap): string {
  return `${subjectId} ${since}`;
}
