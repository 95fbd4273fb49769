/** Counts attempts since the start by a few results: for the metrics of the whole service. */
import { isSuccess, type Outcome } from "../schedule.ts";

export class AttemptCounts {
  readonly #counts = new Map<string, number>();

  /** By result: `succeeded`, `answered_3xx` and so on, `no_answer`. */
  get all(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  add(outcome: Outcome): void {
    const result = resultOf(outcome);
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
  }
}

function resultOf(outcome: Outcome): string {
  if (outcome.kind === "failed") return "no_answer";
  return isSuccess(outcome) ? "succeeded" : `answered_${Math.floor(outcome.status / 100)}xx`;
}
