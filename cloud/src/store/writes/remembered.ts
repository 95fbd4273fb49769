/**
 * What lets a request be tried again after its process has died: the value of each write that an earlier attempt has committed
 * is kept with that write, and a later attempt is given it in place of a second effect. ADR 0014 tells why.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Job, Transaction } from "./transaction.ts";

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
