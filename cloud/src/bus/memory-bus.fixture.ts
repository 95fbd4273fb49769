/** A bus in memory, for nodes in one process on a clock that stands still; it loses messages when a test sets `loses`. */
import type { Clock } from "@porchlight/shared/kernel";
import { type Bus, NoAnswer, NoResponder } from "./bus-watch.ts";

type Heard = (message: unknown) => void;
type Answers = (message: unknown) => Promise<unknown>;

export class BusMedium {
  readonly #clock: Clock;
  readonly #ends = new Set<MemoryBus>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One node's end of it. */
  join(): MemoryBus {
    const end: MemoryBus = new MemoryBus(this.#clock, () => [...this.#ends].filter((other) => other !== end));
    this.#ends.add(end);
    return end;
  }
}

export class MemoryBus implements Bus {
  readonly #clock: Clock;
  readonly #others: () => MemoryBus[];
  readonly #heard = new Set<{ readonly subject: string; readonly heard: Heard }>();
  readonly #answers = new Map<string, Answers>();
  readonly #watchers = new Set<(connected: boolean) => void>();
  connected = true;
  /** As long as it is set, the messages and answers of this end are lost on the way. */
  loses = false;

  constructor(clock: Clock, others: () => MemoryBus[]) {
    this.#clock = clock;
    this.#others = others;
  }

  /** Breaks its line, or mends it. */
  set line(connected: boolean) {
    this.connected = connected;
    for (const watcher of this.#watchers) watcher(connected);
  }

  onChange(listener: (connected: boolean) => void): () => void {
    this.#watchers.add(listener);
    return () => void this.#watchers.delete(listener);
  }

  publish(subject: string, message: unknown): void {
    if (!this.connected || this.loses) return;
    const text = JSON.stringify(message);
    queueMicrotask(() => {
      for (const other of this.#others()) other.#hear(subject, text);
    });
  }

  subscribe(subject: string, heard: Heard): () => void {
    const listening = { subject, heard };
    this.#heard.add(listening);
    return () => void this.#heard.delete(listening);
  }

  async ask(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const asked = this.#others().find((other) => other.connected && other.#answers.has(subject));
    if (!this.connected || !asked) throw new NoResponder();
    const answers = asked.#answers.get(subject);
    if (!answers) throw new NoResponder();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = this.#clock.timer("answer over the bus", timeoutMs, () => reject(new NoAnswer()));
    try {
      const answer = answers(JSON.parse(JSON.stringify(message))).then((value) =>
        asked.loses ? new Promise<never>(() => undefined) : JSON.parse(JSON.stringify(value)),
      );
      return await Promise.race([answer, late]);
    } finally {
      timer.cancel();
    }
  }

  answer(subject: string, answers: Answers): () => void {
    this.#answers.set(subject, answers);
    return () => void this.#answers.delete(subject);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.line = false;
    this.#heard.clear();
    this.#answers.clear();
  }

  #hear(subject: string, text: string): void {
    if (!this.connected) return;
    for (const listening of this.#heard) if (means(listening.subject, subject)) listening.heard(JSON.parse(text));
  }
}

function means(pattern: string, subject: string): boolean {
  return pattern.endsWith(".*") ? subject.startsWith(pattern.slice(0, -1)) : pattern === subject;
}
