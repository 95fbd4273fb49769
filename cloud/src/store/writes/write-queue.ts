/**
 * The jobs that wait for one writer, and which of them come together in its next transaction. What hubs report waits behind all other jobs,
 * a bounded amount of it comes in each transaction, and ecosystems take turns: a flood of reports slows its own ecosystem's reports alone.
 *
 * Invariants: reports of one ecosystem keep their order, and so do all other jobs; of two transactions one at least takes reports.
 */
import type { Waiting } from "./job-kind.ts";

/** Jobs of callers in one transaction at most. */
const MOST_JOBS = 500;
/** Records in one transaction at most, unless a single job has more: a caller that comes meanwhile waits for some milliseconds. */
export const MOST_RECORDS = 200;
/** Where callers wait for the transaction itself; more come in the next one. */
const BESIDE_CALLERS = 50;

interface Report {
  readonly waiting: Waiting;
  readonly records: number;
}

export class WriteQueue {
  readonly #jobs: Waiting[] = [];
  /** By ecosystem; that whose turn it is comes first. */
  readonly #reports = new Map<string, Report[]>();
  /** Whether the last transaction had none of the reports that waited. */
  #leftOut = false;

  /** How many jobs wait. */
  get length(): number {
    let reports = 0;
    for (const waiting of this.#reports.values()) reports += waiting.length;
    return this.#jobs.length + reports;
  }

  push(waiting: Waiting): void {
    this.#jobs.push(waiting);
  }

  /** @param count how many the job stores: its share of a transaction, which is one also when it stores none */
  pushReport(waiting: Waiting, count: number): void {
    const records = Math.max(1, count);
    const before = this.#reports.get(waiting.eco);
    if (before) before.push({ waiting, records });
    else this.#reports.set(waiting.eco, [{ waiting, records }]);
  }

  /** Takes the jobs of the next transaction, in their order; none when none waits. */
  next(): Waiting[] {
    const group = this.#jobs.splice(0, MOST_JOBS);
    const isForCallers = group.length > 0 && !this.#leftOut;
    const { jobs: reports } = this.#nextReports(isForCallers ? BESIDE_CALLERS : MOST_RECORDS);
    // A large one waits for one transaction, not for as long as callers come.
    this.#leftOut = reports.length === 0 && this.#reports.size > 0;
    group.push(...reports);
    return group;
  }

  /** Whether a job waits that is neither a report nor of a kind: each of those is somebody's request. */
  get hasRequests(): boolean {
    return this.#jobs.some(({ kind }) => kind === undefined);
  }

  /** Takes jobs for a transaction with those of other queues, where no request waits. @param most records, each other job counts as one */
  nextBeside(most: number): { readonly jobs: Waiting[]; readonly reports: Waiting[]; readonly records: number } {
    const jobs = this.#jobs.splice(0, most);
    const isFirst = most === MOST_RECORDS;
    // As beside callers: a large one waits for one transaction.
    const room = isFirst && this.#leftOut ? MOST_RECORDS : most - jobs.length;
    const { jobs: reports, records } = this.#nextReports(room);
    if (isFirst) this.#leftOut = reports.length === 0 && this.#reports.size > 0;
    return { jobs, reports, records: records + jobs.length };
  }

  /** Takes all. */
  drain(): Waiting[] {
    const all = this.#jobs.splice(0);
    for (const reports of this.#reports.values()) all.push(...reports.map(({ waiting }) => waiting));
    this.#reports.clear();
    return all;
  }

  /** Takes reports of so many records, and one at least where that is as many as a transaction may have. */
  #nextReports(most: number): { readonly jobs: Waiting[]; readonly records: number } {
    const jobs: Waiting[] = [];
    let records = 0;
    // What is set again while they are gone through comes once more, behind all others.
    for (const [eco, reports] of this.#reports) {
      const [first] = reports;
      const isTooMuch = first && records + first.records > most;
      if (!first || (isTooMuch && (jobs.length > 0 || most < MOST_RECORDS))) break;
      jobs.push(first.waiting);
      records += first.records;
      reports.shift();
      this.#reports.delete(eco);
      if (reports.length > 0) this.#reports.set(eco, reports);
    }
    return { jobs, records };
  }
}
