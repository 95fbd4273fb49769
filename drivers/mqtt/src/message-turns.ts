/**
 * Shares the event loop between messages: one message costs at most what its templates may take, and several that come at once are looked at
 * in several turns.
 *
 * Invariants: messages are looked at in the order in which they come; what waits is bounded in bytes.
 */
import { LoopTurns, type Work } from "@porchlight/driver-kit";
import type { Message } from "./device/mqtt-device.ts";

/** As many characters of a message take a step to read. */
const CHARACTERS_OF_STEP = 250;
/** Characters of messages that wait for their turn, before the last of them. */
const MOST_WAITING = 8 * 1024 * 1024;

export class MessageTurns {
  readonly #dropped: () => void;
  readonly #turns = new LoopTurns();
  #waitingLength = 0;

  /** @param dropped there were too many: a message will not be looked at */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  /** What looks at messages so: in this turn of the loop or in a later one. */
  taking(look: (message: Message) => Work): (message: Message) => void {
    return (message) => {
      if (this.#waitingLength > MOST_WAITING) {
        this.#dropped();
        return;
      }
      this.#waitingLength += message.payload.text.length;
      this.#turns.run(this.#work(message, look));
    };
  }

  /** As `LoopTurns.done`. */
  done(): Promise<void> | undefined {
    return this.#turns.done();
  }

  /** The connection is gone: what waits is of the past. */
  clear(): void {
    this.#turns.clear();
    this.#waitingLength = 0;
  }

  *#work(message: Message, look: (message: Message) => Work): Work {
    const { length } = message.payload.text;
    this.#waitingLength -= length;
    yield* look(message);
    yield length / CHARACTERS_OF_STEP;
  }
}
