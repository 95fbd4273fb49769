/** What caller and device of a round trip agree on: names, JSON of a write and its answer, and what each way promises. */
import type { Reply } from "./redis-client.ts";

export const LAMP = "lamp";
/** Where writes are published: of MQTT and of NATS. */
export const TOPIC = "devices.lamp.set";
export const COMMANDS = "commands";
export const ANSWERS = "answers";
export const GROUP = "devices";
/** Entries that a stream keeps, about. */
export const MOST_KEPT = "10000";

export interface Entry {
  /** Of the stream. */
  readonly entry: string;
  /** Of the write. */
  readonly id: string;
  readonly text: string;
}

/** Of what XREAD or XREADGROUP of one stream gives. @throws Error when it is anything else */
export function entriesOf(reply: Reply): Entry[] {
  if (reply === null) return [];
  const [stream] = arrayOf(reply);
  const [, entries = []] = arrayOf(stream);
  return arrayOf(entries).map((each) => {
    const [entry, fields] = arrayOf(each);
    const [, id, , text] = arrayOf(fields);
    return { entry: String(entry), id: String(id), text: String(text) };
  });
}

function arrayOf(reply: Reply | undefined): readonly Reply[] {
  if (typeof reply !== "object" || reply === null) throw new Error(`no entries of Redis: ${reply}`);
  return reply;
}

/** What a way promises, each in a few words, as in the documents. */
export interface Promises {
  /** Whether the write is on a disk before the device is asked. */
  readonly "stored before the device is asked": string;
  /** Whether the device is never asked twice for one write, when any of the processes dies. */
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

  /** Resolves the write of an answer that has arrived. */
  arrived(id: string, text: string): void {
    this.#waiting.get(id)?.(text);
    this.#waiting.delete(id);
  }
}
