/** Counts answered requests by ecosystem and minute until they are stored: a count costs an answer next to nothing. */
import type { RequestCountRow } from "../../store/index.ts";

const MINUTE = 60_000;
/** Maximum counters between two batches; further ones are not counted, and the period is marked as partly counted. */
const CAPACITY = 50_000;

export class RequestCounter {
  #counts = new Map<string, RequestCountRow>();
  /** The counter used last, which the next request mostly uses too. */
  #last: RequestCountRow | undefined;
  #isFull = false;

  /** @param at wall clock, ms */
  count(ecosystemId: string, status: number, at: number): void {
    const minute = at - (at % MINUTE);
    const last = this.#last;
    const isThere = last?.minute === minute && last.ecosystem_id === ecosystemId;
    const row = isThere ? last : this.#row(ecosystemId, minute);
    if (row) row[columnOf(status)] += 1;
    this.#last = row;
  }

  /** Returns all counts since the previous call, and whether some were lost for lack of room. */
  take(): { readonly counts: RequestCountRow[]; readonly isCut: boolean } {
    const taken = { counts: [...this.#counts.values()], isCut: this.#isFull };
    this.#counts = new Map();
    this.#last = undefined;
    this.#isFull = false;
    return taken;
  }

  /** Undefined when there are too many. */
  #row(ecosystemId: string, minute: number): RequestCountRow | undefined {
    const key = `${ecosystemId} ${minute}`;
    let row = this.#counts.get(key);
    if (row) return row;
    if (this.#counts.size >= CAPACITY) {
      this.#isFull = true;
      return undefined;
    }
    row = { ecosystem_id: ecosystemId, minute, succeeded: 0, redirected: 0, refused: 0, failed: 0 };
    this.#counts.set(key, row);
    return row;
  }
}

function columnOf(status: number): "succeeded" | "redirected" | "refused" | "failed" {
  if (status >= 500) return "failed";
  if (status >= 400) return "refused";
  return status >= 300 ? "redirected" : "succeeded";
}
