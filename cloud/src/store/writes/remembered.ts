/**
 * What lets a request be tried again after its process has died: the value of each write that an earlier attempt has committed
 * is kept with that write, and a later attempt is given it in place of a second effect. ADR 0014 tells why.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IdMaker } from "@porchlight/shared/kernel";
import type { Sql } from "../sql/sql.ts";

/** One write of a request, by its place among them. */
export interface Step {
  /** There when an earlier attempt has committed this write. */
  readonly done?: { readonly value: unknown };
  /** Keeps the value, in the transaction that makes it so. @throws when the attempt is no longer the one that may write */
  keep(tx: Transaction, value: unknown): Promise<void>;
}

/** The writes of one attempt at a request; undefined for one that is made when the request is over. */
export interface Memory {
  nextStep(ecosystemId: string): Step | undefined;
}

type Write = <T>(ecosystemId: string, job: Job<T>) => Promise<T>;

export class Remembered {
  readonly #memories = new AsyncLocalStorage<Memory>();

  /** Does `work`, whose writes go through its memory, in the order in which they are asked for. */
  during<T>(memory: Memory, work: () => Promise<T>): Promise<T> {
    return this.#memories.run(memory, work);
  }

  /** Does `work` as none of a request's. */
  without<T>(work: () => Promise<T>): Promise<T> {
    return this.#memories.exit(work);
  }

  write<T>(write: Write, ecosystemId: string, job: Job<T>): Promise<T> {
    const memory = this.#memories.getStore();
    if (!memory) return write(ecosystemId, job);
    const step = memory.nextStep(ecosystemId);
    // It was kept by this very write of an earlier attempt.
    if (step?.done) return Promise.resolve(step.done.value as T);
    // What the coordinator runs for others, and what commits set off, is none of this request.
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

/** What a job writes through: its part of one transaction. Its own file because every module that writes is written against it. */
interface EventHead {
  /** When it must be known before it is stored. */
  readonly id?: string | undefined;
  readonly type: string;
  readonly environmentId?: string | undefined;
}

/** Something that happened, to be stored in the transaction that makes it so: with the resource, or what the type's data is, or with its JSON. */
export type NewEvent = EventHead & ({ readonly data: unknown; readonly text?: never } | { readonly text: string });

export interface Transaction extends Sql {
  /** Whose transaction this is; "" of a write that belongs to no ecosystem. */
  readonly ecosystemId: string;
  /** Makes IDs of what is stored in it. */
  readonly ids: IdMaker;
  /** Wall clock, ms. */
  now(): number;
  /** Stores an event with this job. */
  append(event: NewEvent): void;
  /** Counts what a command of this job takes, for those who keep commands to their size ({@link Store.onCommandBytes}). */
  addCommandBytes(bytes: number): void;
  /** Runs once the job's effects are committed. */
  afterCommit(effect: () => void): void;
}

export type Job<T> = (tx: Transaction) => Promise<T>;

/** What all jobs of a store have in common. */
export interface JobDeps extends Pick<Transaction, "ids" | "now"> {
  /** Called after the commit of a job with commands. */
  readonly onCommandBytes?: ((ecosystemId: string, bytes: number) => void) | undefined;
}

/** A job by itself in the transaction of its group: its statements are run at once, its events and effects are gathered. */
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
