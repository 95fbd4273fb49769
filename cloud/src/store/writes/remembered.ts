/**
 * Lets a request be repeated after its process has died: each committed write is stored with its value, and a later
 * attempt gets that value in place of a second write. ADR 0014 has the reasons.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Transaction, Work } from "./job.ts";

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

type Write = <T>(ecosystemId: string, work: Work<T>) => Promise<T>;

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

  write<T>(write: Write, ecosystemId: string, work: Work<T>): Promise<T> {
    const memory = this.#memories.getStore();
    if (!memory) return write(ecosystemId, work);
    const step = memory.nextStep(ecosystemId);
    // The same write of an earlier attempt stored it.
    if (step?.done) return Promise.resolve(step.done.value as T);
    // Work of the coordinator for other callers, and effects of commits, do not belong to this request.
    return this.#memories.exit(() => write(ecosystemId, step ? keeping(work, step) : work));
  }
}

function keeping<T>(work: Work<T>, step: Step): Work<T> {
  return async (tx) => {
    const value = await work(tx);
    await step.keep(tx, value);
    return value;
  };
}
