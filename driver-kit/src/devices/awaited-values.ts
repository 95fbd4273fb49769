/** The callers of reads and writes that wait, until their deadlines, for a device to report a property. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { Gate, type Patience } from "../contract/gate.ts";

interface Waiting {
  readonly accepts: (value: Value) => boolean;
  readonly receive: (value: Value) => void;
  readonly gate: Gate;
}

export class AwaitedValues {
  readonly #clock: Clock;
  /** By the property's key. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #gates = new Set<Gate>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the first reported value that `accepts` takes, until it is disposed of; `within` bounds each wait for it. */
  expect(key: string, accepts: (value: Value) => boolean): ExpectedValue {
    const gate = new Gate(this.#clock);
    let value: Value | undefined;
    const waiting: Waiting = {
      ...{ accepts, gate },
      receive: (receive) => {
        value = receive;
        gate.open();
        end();
      },
    };
    const ofKey = this.#waiting.get(key) ?? new Set();
    const end = () => {
      ofKey.delete(waiting);
      this.#gates.delete(gate);
      if (ofKey.size === 0 && this.#waiting.get(key) === ofKey) this.#waiting.delete(key);
    };
    this.#waiting.set(key, ofKey.add(waiting));
    this.#gates.add(gate);
    return {
      within: async (patience) => {
        await gate.wait(patience);
        return value;
      },
      [Symbol.dispose]: end,
    };
  }

  /** A value was reported: true when a caller waited for exactly this value. */
  tell(key: string, value: Value): boolean {
    const accepting = [...(this.#waiting.get(key) ?? [])].filter(({ accepts }) => accepts(value));
    for (const { receive } of accepting) receive(value);
    return accepting.length > 0;
  }

  /** Whether a caller waits for the property. */
  isAwaiting(key: string): boolean {
    return (this.#waiting.get(key)?.size ?? 0) > 0;
  }

  /** No more values will be reported, of that property or of any: its waiters continue without one. */
  release(key?: string): void {
    const gates = key === undefined ? this.#gates : [...(this.#waiting.get(key) ?? [])].map(({ gate }) => gate);
    for (const gate of [...gates]) gate.release();
  }
}

export interface ExpectedValue extends Disposable {
  /** The value, if it is reported in time; undefined when the deadline passes first, or no more values will be reported. */
  within(patience: Patience): Promise<Value | undefined>;
}
