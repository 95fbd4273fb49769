/** A way from a caller to the process of a device and back: what each peer of the benchmark is, ours too. */

/** What a way promises, each in a few words, as the documents say it. */
export interface Promises {
  /** Whether the write is on a disk before the device is asked. */
  readonly "stored before the device is asked": string;
  /** Whether the device is never asked twice for one write, whichever process dies. */
  readonly "at most once": string;
  /** Whether the answer is on a disk before the caller has it. */
  readonly "answer stored": string;
}

export interface Way extends AsyncDisposable {
  /** The program and its setting. */
  readonly name: string;
  readonly promises: Promises;
  /** Everything but the caller. */
  readonly pids: readonly number[];
  /** One write by one of the workers, which has its answer when it settles. @throws Error when the answer is not that value */
  trip(worker: number, value: number): Promise<void>;
}

/** What a device answers to a write, each in the same JSON as a PUT of ours. */
export function answerTo(text: string): string {
  const { value } = JSON.parse(text) as { value: number };
  return JSON.stringify({ value });
}

export const writeOf = (value: number) => JSON.stringify({ value });

/** @throws Error when the answer does not have that value */
export function expectValue(answer: string, value: number): void {
  if (answerTo(answer) !== writeOf(value)) throw new Error(`${value} was answered with ${answer}`);
}

/** Answers that are waited for, each under the number of its write. */
export class Answers {
  readonly #waiting = new Map<string, (text: string) => void>();
  #count = 0;

  /** Sends a write under a number of its own; settles with the answer under that number. */
  async of(send: (id: string) => Promise<unknown>): Promise<string> {
    const id = String(++this.#count);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#waiting.set(id, resolve);
    send(id).catch(reject);
    return promise;
  }

  /** An answer has come. */
  heard(id: string, text: string): void {
    this.#waiting.get(id)?.(text);
    this.#waiting.delete(id);
  }
}
