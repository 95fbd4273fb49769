/**
 * Lets a request be repeated after its process has died: each committed write is stored with its value, and a later
 * attempt gets that value in place of a second write. ADR 0014 has the reasons.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IdMaker } from "@porchlight/shared/kernel";
import type { Sql } from "../sql/sql.ts";

/** One write of a request, by its number. */
export interface Step {
  /** Set when an earlier attempt has committed this write. */
  readonly done?: { readonly value: unknown };
  /** Stores the value in the write's own transaction. @throws when another attempt has taken over the request */
  keep(tx: Transaction, value: unknown): Promise<void>;
}

/** The writes of one attempt at a request; `step` is undefined for a write after the request's end. */
export interface Memory {
  nextStep(ecosystemId: string): Step | undefined;
}

type Write = <T>(ecosystemId: string, job: Job<T>) => Promise<T>;

export class Remembered {
  readonly #memories = new AsyncLocalStorage<Memory>();

  /** Runs `work` with this memory for its writes, numbered in the order of their calls. */
  during<T>(memory: Memory, work: () => Promise<T>): Promise<T> {
    return this.#memories.run(memory, work);
  }

  /** Runs `work` outside any request. */
  without<T>(work: () => Promise<T>): Promise<T> {
    return this.#memories.exit(work);
  }

  write<T>(write: Write, ecosystemId: string, job: Job<T>): Promise<T> {
    const memory = this.#memories.getStore();
    if (!memory) return write(ecosystemId, job);
    const step = memory.nextStep(ecosystemId);
    // The same write of an earlier attempt stored it.
    if (step?.done) return Promise.resolve(step.done.value as T);
    // Work of the coordinator for other callers, and effects of commits, do not belong to this request.
    return this.#memories.exit(() => write(ecosystemId, step ? keeping(job, step) : job));
  }
}

function keeping<T>(job: Job<T>, step: Step): Job<T> {
  return async (tx) => {
    const value = await job(tx);
    await step.keep(tx, value);
    return value;
  };
}

/** The part of an event that does not depend on its data. */
interface EventHead {
  /** Set when the ID must be known before the event is stored. */
  readonly id?: string | undefined;
  readonly type: string;
  readonly environmentId?: string | undefined;
}

/** An event to store in the transaction that causes it: `data` is the resource or the data of its type, `text` the JSON of it. */
export type NewEvent = EventHead & ({ readonly data: unknown; readonly text?: never } | { readonly text: string });

/** A job's part of one transaction, through which it reads and writes. */
export interface Transaction extends Sql {
  /** The ecosystem of the transaction; "" for a write that belongs to none. */
  readonly ecosystemId: string;
  /** Makes the IDs of new rows. */
  readonly ids: IdMaker;
  /** Wall clock, ms. */
  now(): number;
  /** Stores an event with this job. */
  append(event: NewEvent): void;
  /** Counts the bytes of commands that this job stores, for the size limit of commands ({@link Store.onCommandBytes}). */
  addCommandBytes(bytes: number): void;
  /** Runs once the job's effects are committed. */
  afterCommit(effect: () => void): void;
}

export type Job<T> = (tx: Transaction) => Promise<T>;

/** Dependencies that all jobs of a store share. */
export interface JobDeps extends Pick<Transaction, "ids" | "now"> {
  /** Called after the commit of a job with commands. */
  readonly onCommandBytes?: ((ecosystemId: string, bytes: number) => void) | undefined;
}

/** A single job's view of the transaction of its group: statements run at once, events and effects are collected. */
export class JobTransaction implements Transaction {
  readonly ecosystemId: string;
  readonly ids: IdMaker;
  readonly now: () => number;
  readonly build: Sql["build"];
  readonly query: Sql["query"];
  readonly change: Sql["change"];
  readonly all: Sql["all"];
  readonly run: Sql["run"];
  readonly #events: NewEvent[];
  readonly #effects: (() => void)[];
  readonly #deps: JobDeps;

  constructor(sql: Sql, eco: string, deps: JobDeps, events: NewEvent[], effects: (() => void)[]) {
    this.ecosystemId = eco;
    this.ids = deps.ids;
    this.now = deps.now;
    this.build = sql.build;
    this.query = (query) => sql.query(query);
    this.change = (query) => sql.change(query);
    this.all = (statement, params) => sql.all(statement, params);
    this.run = (statement, params) => sql.run(statement, params);
    this.#deps = deps;
    this.#events = events;
    this.#effects = effects;
  }

  append(event: NewEvent): void {
    this.#events.push(event);
  }

  addCommandBytes(bytes: number): void {
    this.#effects.push(() => this.#deps.onCommandBytes?.(this.ecosystemId, bytes));
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }
}
