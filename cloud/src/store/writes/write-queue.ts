/**
 * The jobs that wait for one writer, and the choice of those for its next transaction. Reports of hubs wait behind all
 * other jobs, each transaction takes a bounded number of them, and ecosystems take turns: a flood of reports slows only
 * its own ecosystem's reports.
 *
 * Invariants: reports of one ecosystem keep their order, and so do all other jobs; at least one of two transactions
 * takes reports.
 */
import { isRequest, type Job } from "./job.ts";

/** Maximum jobs of callers in one transaction. */
const MOST_JOBS = 500;
/** Maximum records in one transaction, unless a single job has more: it delays a caller that arrives meanwhile by some milliseconds. */
export const MOST_RECORDS = 200;
/** Maximum records in a transaction that callers wait for; the rest go into the next one. */
const BESIDE_CALLERS = 50;

export class WriteQueue {
  readonly #jobs: Job[] = [];
  /** By ecosystem; the next one to be served is first. */
  readonly #reports = new Map<string, Job[]>();
  /** Whether the last transaction took none of the waiting reports. */
  #leftOut = false;

  /** Number of waiting jobs. */
  get length(): number {
    let reports = 0;
    for (const jobs of this.#reports.values()) reports += jobs.length;
    return this.#jobs.length + reports;
  }

  push(job: Job): void {
    if (job.records === undefined) {
      this.#jobs.push(job);
      return;
    }
    const before = this.#reports.get(job.eco);
    if (before) before.push(job);
    else this.#reports.set(job.eco, [job]);
  }

  /** Takes the jobs of the next transaction, in order; none when none waits. */
  next(): Job[] {
    const group = this.#jobs.splice(0, MOST_JOBS);
    const isForCallers = group.length > 0 && !this.#leftOut;
    const { jobs: reports } = this.#nextReports(isForCallers ? BESIDE_CALLERS : MOST_RECORDS);
    // A large report waits for one transaction, and not for as long as callers arrive.
    this.#leftOut = reports.length === 0 && this.#reports.size > 0;
    group.push(...reports);
    return group;
  }

  get hasRequests(): boolean {
    return this.#jobs.some(isRequest);
  }

  /** Takes jobs for a joint transaction, from a queue without requests. @param most records; each other job counts as one */
  nextBeside(most: number): { readonly jobs: Job[]; readonly reports: Job[]; readonly records: number } {
    const jobs = this.#jobs.splice(0, most);
    const isFirst = most === MOST_RECORDS;
    // The same rule as beside callers: a large report waits for one transaction.
    const room = isFirst && this.#leftOut ? MOST_RECORDS : most - jobs.length;
    const { jobs: reports, records } = this.#nextReports(room);
    if (isFirst) this.#leftOut = reports.length === 0 && this.#reports.size > 0;
    return { jobs, reports, records: records + jobs.length };
  }

  /** Takes all jobs. */
  drain(): Job[] {
    const all = this.#jobs.splice(0);
    for (const reports of this.#reports.values()) all.push(...reports);
    this.#reports.clear();
    return all;
  }

  /** Takes reports up to this many records, and at least one if `most` is the maximum of a transaction. */
  #nextReports(most: number): { readonly jobs: Job[]; readonly records: number } {
    const jobs: Job[] = [];
    let records = 0;
    // A key that is set again during the iteration comes up once more, behind all others.
    for (const [eco, reports] of this.#reports) {
      const [first] = reports;
      const isTooMuch = first && records + shareOf(first) > most;
      if (!first || (isTooMuch && (jobs.length > 0 || most < MOST_RECORDS))) break;
      jobs.push(first);
      records += shareOf(first);
      reports.shift();
      this.#reports.delete(eco);
      if (reports.length > 0) this.#reports.set(eco, reports);
    }
    return { jobs, records };
  }
}

/** The share of a report in the records of a transaction. */
function shareOf({ records = 0 }: Job): number {
  return Math.max(1, records);
}
