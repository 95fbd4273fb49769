/** Values that a node is asked for now, and what the server reports of them meanwhile: an answer may be older than such a report. */
import { type ValueId, valueKey } from "../values/value-id.ts";

/** One question. */
export interface PolledValue extends Disposable {
  /** Whether something else was reported since the question left than what was answered. The answer itself is reported too. */
  readonly isOvertaken: (answer: unknown) => boolean;
  /** Whether anything was reported since the question left. */
  readonly isReported: () => boolean;
}

export class PolledValues {
  /** What was reported since each question left, by the value's name. */
  readonly #heard = new Map<string, Set<Set<unknown>>>();

  begin(id: ValueId): PolledValue {
    const key = valueKey(id);
    const heard = new Set<unknown>();
    const all = this.#heard.get(key) ?? new Set();
    this.#heard.set(key, all.add(heard));
    return {
      isReported: () => heard.size > 0,
      isOvertaken: (answer) => [...heard].some((raw) => raw !== asKey(answer)),
      [Symbol.dispose]: () => {
        all.delete(heard);
        if (all.size === 0 && this.#heard.get(key) === all) this.#heard.delete(key);
      },
    };
  }

  /** The server reports a value. True while the node is asked for it: the answer says what it is. */
  report(id: ValueId, raw: unknown): boolean {
    const all = this.#heard.get(valueKey(id));
    for (const heard of all ?? []) heard.add(asKey(raw));
    return all !== undefined;
  }
}

/** The same for the same content. */
function asKey(raw: unknown): unknown {
  return typeof raw === "object" ? JSON.stringify(raw) : raw;
}
