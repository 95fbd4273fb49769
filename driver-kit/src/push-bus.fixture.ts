/** Plugs behind a bus in memory: each says by itself what is true, without boots and sequence numbers, and answers when it is asked. */
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";

/** Who listens on the bus. Texts are JSON, unless a test has spoilt them. */
export interface BusListener {
  readonly received: (id: string, text: string) => void;
  readonly closed: () => void;
}

/** An answer: what the plug now is, or why it refuses. */
export type PlugAnswer = { readonly now: Value } | { readonly refused: string };

export interface BusConnection extends Disposable {
  readonly ids: readonly string[];
  /** Settles with the answer, if there ever is one. */
  ask(id: string, set?: Value): Promise<PlugAnswer>;
}

interface PlugState {
  on: Value;
  touched: number;
  isSilent: boolean;
}

export class PushBus {
  readonly #clock: Clock;
  readonly #plugs = new Map<string, PlugState>();
  readonly #listeners = new Set<BusListener>();
  isThere = true;
  refuses = false;
  delayMs = 0;
  /** A plug that is asked answers what it was when it was asked. */
  samplesEarly = false;
  tries = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get held(): number {
    return this.#listeners.size;
  }

  add(id: string): void {
    this.#plugs.set(id, { on: false, touched: 0, isSilent: false });
  }

  plug(id: string): PlugState {
    const plug = this.#plugs.get(id);
    if (!plug) throw new Error(`there is no plug ${id}`);
    return plug;
  }

  async open(listener: BusListener): Promise<BusConnection> {
    this.tries += 1;
    if (!this.isThere) throw new Error("there is no bus");
    this.#listeners.add(listener);
    const isOpen = () => this.#listeners.has(listener);
    return {
      ids: [...this.#plugs.keys()],
      ask: (id, set) => new Promise((answer) => this.#take({ id, set, answer, isOpen })),
      [Symbol.dispose]: () => void this.#listeners.delete(listener),
    };
  }

  /** A plug sends a text, or a test in its name. */
  say(id: string, text: string): void {
    for (const listener of this.#listeners) listener.received(id, text);
  }

  cut(): void {
    this.isThere = false;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const { closed } of listeners) closed();
  }

  #take(asked: { id: string; set: Value | undefined; answer: (answer: PlugAnswer) => void; isOpen: () => boolean }) {
    const { id, set, answer, isOpen } = asked;
    if (!isOpen()) return;
    const plug = this.plug(id);
    if (set !== undefined) plug.touched += 1;
    if (plug.isSilent) return;
    const sampled = plug.on;
    const act = () => {
      const isRefused = set !== undefined && this.refuses;
      if (set !== undefined && !isRefused) plug.on = set;
      if (isOpen() && !plug.isSilent)
        answer(isRefused ? { refused: "no" } : { now: this.samplesEarly && set === undefined ? sampled : plug.on });
    };
    if (this.delayMs === 0) act();
    else this.#clock.timer("a slow plug acts", this.delayMs, act);
  }
}
