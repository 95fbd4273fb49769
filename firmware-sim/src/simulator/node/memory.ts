/** What a node remembers of the hub's requests so that a repetition does not act twice. DP5, "Repetitions". */
import { ERROR_CODE, type Message } from "@porchlight/shared/wire";

interface Remembered {
  readonly seq: number;
  readonly body: Uint8Array;
  /** Undefined while the request is being carried out. */
  readonly answer: Message | undefined;
}

/** Oldest first. */
export type Memory = readonly Remembered[];

export type Recollection =
  | { readonly kind: "new" }
  /** Still being carried out: ignored. */
  | { readonly kind: "under_way" }
  | { readonly kind: "answered"; readonly answer: Message };

/** What is known of a request; a repetition is the same seq with the same body. */
export function recall(memory: Memory, seq: number, body: Uint8Array): Recollection {
  const found = memory.findLast((entry) => entry.seq === seq && Buffer.compare(entry.body, body) === 0);
  if (!found) return { kind: "new" };
  return found.answer ? { kind: "answered", answer: found.answer } : { kind: "under_way" };
}

/** How many requests are being carried out: what is measured against the node's `win`. */
export function underWay(memory: Memory): number {
  return memory.filter((entry) => entry.answer === undefined).length;
}

/** A request is being carried out. */
export function begun(memory: Memory, seq: number, body: Uint8Array): Memory {
  return [...memory, { seq, body, answer: undefined }];
}

/** It ended without an answer that must be repeated: READ and DESCRIBE. */
export function forgotten(memory: Memory, seq: number): Memory {
  return memory.filter((entry) => entry.seq !== seq || entry.answer !== undefined);
}

/** It was answered: the last `keep` answers are remembered, and as many of ERROR 9 beside them, for those say nothing of what was done. */
export function answered(memory: Memory, seq: number, answer: Message, keep: number): Memory {
  const done = memory.map((entry) => (entry.seq === seq && entry.answer === undefined ? { ...entry, answer } : entry));
  const answers = done.filter((entry) => entry.answer !== undefined);
  const surplus = (some: Memory) => some.slice(0, Math.max(0, some.length - keep));
  const gone = [...surplus(answers.filter(isBusy)), ...surplus(answers.filter((entry) => !isBusy(entry)))];
  return done.filter((entry) => !gone.includes(entry));
}

function isBusy({ answer }: Remembered): boolean {
  return answer?.type === "ERROR" && answer.code === ERROR_CODE.busy;
}
