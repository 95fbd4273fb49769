/**
 * How much of the processor may go to anonymous requests: of one address, and of all together. Pure in time.
 *
 * One thread answers everybody, so what anonymous requests take of it others wait for. Counting requests does not bound that, for one
 * may cost a hundred times as much as another: processor time is counted. What does not fit just now waits a little, so that a page
 * with its fifty files is served, and many at once come one after the other; only past that wait is it refused.
 */
import type { BucketRule } from "@porchlight/shared/kernel";
import { TokenBuckets } from "@porchlight/shared/rest";

/** In ms of processor time. */
export interface BudgetRules {
  readonly ofAll: BucketRule;
  readonly ofAddress: BucketRule;
}

/** What becomes of a request: it is handled now, or in so many ms, or is refused and may come again after so many whole seconds. */
export type BudgetAdmission =
  | { readonly kind: "now" }
  | { readonly kind: "later"; readonly waitMs: number }
  | { readonly kind: "refused"; readonly retryAfter: number };

/** A quarter of the thread, and a tenth for one address; what may come at once holds others up for so long. */
const BUDGET: BudgetRules = {
  ofAll: { perSecond: 250, burst: 20 },
  ofAddress: { perSecond: 100, burst: 15 },
};

/** What a request costs beside the spans that are measured, ms: reading it, the work between two spans, collecting its garbage. */
export const UNMEASURED_MS = 0.15;

/** The most that one piece of work costs its address, ms: what is dearer is made for the first time, and kept for everybody after. */
const DEAREST_MS = 25;

/** Key of the one bucket that all share. */
const ALL = "";

export class AnonymousBudget {
  readonly #ofAll: TokenBuckets;
  readonly #ofAddress: TokenBuckets;

  constructor({ ofAll, ofAddress }: BudgetRules = BUDGET) {
    this.#ofAll = new TokenBuckets(ofAll);
    this.#ofAddress = new TokenBuckets(ofAddress);
  }

  /**
   * Admits a request, and books what it costs in any case.
   * @param network of its address
   * @param patienceMs the longest that it may have to wait
   * @param now monotonic, ms
   */
  admit(network: string, patienceMs: number, now: number): BudgetAdmission {
    const buckets = [this.#ofAll.of(ALL, now), this.#ofAddress.of(network, now)];
    const waitMs = Math.max(...buckets.map((bucket) => bucket.waitFor(UNMEASURED_MS, now)));
    if (waitMs > patienceMs)
      return { kind: "refused", retryAfter: Math.max(1, Math.ceil((waitMs - patienceMs) / 1000)) };
    this.spend(network, UNMEASURED_MS, now);
    return waitMs > 0 ? { kind: "later", waitMs } : { kind: "now" };
  }

  /** Books processor time that a piece of work took, ms. @param now monotonic, ms */
  spend(network: string, ms: number, now: number): void {
    this.#ofAll.of(ALL, now).spend(ms, now);
    this.#ofAddress.of(network, now).spend(Math.min(ms, DEAREST_MS), now);
  }
}
