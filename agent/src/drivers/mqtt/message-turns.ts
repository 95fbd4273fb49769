/**
 * Shares the event loop between messages: one message costs at most what its templates may take, and several that come at once are looked at
 * in several turns.
 *
 * Invariants: messages are looked at in the order in which they come; what waits is bounded in bytes.
 */
import type { Message } from "./device/mqtt-device.ts";

/** Steps of templates (some 5 µs each) after which the loop turns before the next message. */
const STEPS_OF_TURN = 2000;
/** As many characters of a message take a step to read. */
const CHARACTERS_OF_STEP = 250;
/** Characters of messages that may wait for their turn. */
const MOST_WAITING = 8 * 1024 * 1024;

export class MessageTurns {
  readonly #dropped: () => void;
  readonly #waiting: { readonly message: Message; readonly look: (message: Message) => void }[] = [];
  #waitingLength = 0;
  #steps = 0;
  #turn: NodeJS.Immediate | undefined;

  /** @param dropped there were too many: a message will not be looked at */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  /** What looks at messages so: in this turn of the loop or in a later one. */
  taking(look: (message: Message) => void): (message: Message) => void {
    return (message) => this.#take(message, look);
  }

  /** The connection is gone: what waits is of the past. */
  clear(): void {
    this.#waiting.length = 0;
    this.#waitingLength = 0;
  }

  #take(message: Message, look: (message: Message) => void): void {
    if (this.#waiting.length === 0 && this.#steps < STEPS_OF_TURN) this.#look(message, look);
    else if (this.#waitingLength + message.payload.text.length > MOST_WAITING) this.#dropped();
    else {
      this.#waiting.push({ message, look });
      this.#waitingLength += message.payload.text.length;
    }
  }

  #look(message: Message, look: (message: Message) => void): void {
    this.#turn ??= setImmediate(() => this.#next());
    const { text, work } = message.payload;
    const before = work.steps;
    look(message);
    this.#steps += work.steps - before + text.length / CHARACTERS_OF_STEP;
  }

  #next(): void {
    this.#turn = undefined;
    this.#steps = 0;
    while (this.#waiting.length > 0 && this.#steps < STEPS_OF_TURN) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#waitingLength -= next.message.payload.text.length;
      this.#look(next.message, next.look);
    }
  }
}
