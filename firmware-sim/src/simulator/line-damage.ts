/** A node's line that loses, corrupts, duplicates, cuts and delays whole frames, according to the node's current faults. */
import { type Clock, type Random, randomInteger, type Timer } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import type { NodeFaults } from "./fault-words.ts";

/** Bytes that arrive at one end of a line. */
export interface Passing {
  /** Monotonic ms. */
  readonly at: number;
  /** The sender. */
  readonly from: "hub" | "node";
  readonly bytes: Uint8Array;
}

export interface DamagedLineDeps {
  readonly clock: Clock;
  /** One for each direction, so that the faults of one direction do not depend on the traffic of the other. */
  readonly random: Readonly<Record<Passing["from"], Random>>;
  faults(): NodeFaults;
  /** Whether the board has no power: nothing passes in either direction. */
  isDark(): boolean;
  /** Called with the bytes that arrive, damage included. */
  readonly watch?: ((passing: Passing) => void) | undefined;
  /** Called when the line is closed. */
  onClosed(): void;
}

/** Applies the faults to a frame: returns the frames that arrive, in order; none when it is lost. */
export function mangle(frame: Uint8Array, faults: NodeFaults, random: Random): Uint8Array[] {
  const happens = (chance = 0) => chance > 0 && random.fraction() < chance;
  if (happens(faults.drop)) return [];
  let arriving = frame;
  if (happens(faults.corrupt)) {
    arriving = Uint8Array.from(frame);
    const at = randomInteger(random, frame.length);
    arriving[at] = (frame[at] ?? 0) ^ (1 << randomInteger(random, 8));
  }
  if (happens(faults.half)) arriving = arriving.subarray(0, 1 + randomInteger(random, arriving.length - 1));
  return happens(faults.duplicate) ? [arriving, arriving] : [arriving];
}

/** The node's end of the damaged line. */
export function damagedLink(link: ByteLink, deps: DamagedLineDeps): ByteLink {
  const direction = (from: Passing["from"], pass: (bytes: Uint8Array) => void) =>
    new Direction(deps, deps.random[from], (bytes) => {
      if (bytes.length > 0) deps.watch?.({ at: deps.clock.monotonic(), from, bytes });
      pass(bytes);
    });
  const directions = [direction("node", (bytes) => void link.write(bytes).catch(() => undefined))];
  const end = () => {
    for (const one of directions) one.close();
    deps.onClosed();
  };
  return {
    listen: (onBytes, onClosed) => {
      const inward = direction("hub", onBytes);
      directions.push(inward);
      link.listen(
        (bytes) => inward.send(bytes),
        (reason) => {
          end();
          onClosed(reason);
        },
      );
    },
    write: async (bytes) => directions[0]?.send(bytes),
    close: () => {
      end();
      link.close();
    },
  };
}

/** One direction: frames leave in the order of their arrival. */
class Direction {
  readonly #deps: DamagedLineDeps;
  readonly #random: Random;
  readonly #pass: (bytes: Uint8Array) => void;
  readonly #pieces = new FramePieces();
  readonly #late = new Set<Timer>();
  /** Due time of the last waiting frame, monotonic ms. */
  #lastDue = 0;

  constructor(deps: DamagedLineDeps, random: Random, pass: (bytes: Uint8Array) => void) {
    this.#deps = deps;
    this.#random = random;
    this.#pass = pass;
  }

  send(bytes: Uint8Array): void {
    const faults = this.#deps.faults();
    if (this.#deps.isDark()) this.#pieces.flush();
    else if (!isRough(faults)) {
      const held = this.#pieces.flush();
      this.#later(held.length === 0 ? bytes : Uint8Array.from([...held, ...bytes]), 0);
    } else {
      for (const frame of this.#pieces.push(bytes)) {
        for (const arriving of mangle(frame, faults, this.#random)) {
          const ms = faults.delay === undefined ? 0 : Math.round(this.#random.fraction() * faults.delay);
          this.#later(arriving, ms);
        }
      }
    }
  }

  close(): void {
    for (const timer of this.#late) timer.cancel();
    this.#late.clear();
  }

  #later(bytes: Uint8Array, ms: number): void {
    const now = this.#deps.clock.monotonic();
    if (ms === 0 && this.#late.size === 0) {
      this.#pass(bytes);
      return;
    }
    this.#lastDue = Math.max(this.#lastDue, now + ms);
    const timer = this.#deps.clock.timer("late frame", this.#lastDue - now, () => {
      this.#late.delete(timer);
      if (!this.#deps.isDark()) this.#pass(bytes);
    });
    this.#late.add(timer);
  }
}

function isRough({ drop, corrupt, duplicate, half, delay }: NodeFaults): boolean {
  return [drop, corrupt, duplicate, half, delay].some((one) => one !== undefined);
}

/** Splits a stream of bytes after each frame, so that faults apply to frames, however the bytes arrive. */
const END = 0xc0;

class FramePieces {
  #held: number[] = [];
  /** Whether a byte other than END is buffered. */
  #begun = false;

  /** The pieces that are now complete: each ends with the END of its frame. */
  push(bytes: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    for (const byte of bytes) {
      this.#held.push(byte);
      if (byte !== END) this.#begun = true;
      else if (this.#begun) pieces.push(this.flush());
    }
    return pieces;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** Returns the buffered part of an incomplete frame. */
  flush(): Uint8Array {
    const piece = Uint8Array.from(this.#held);
    this.#held = [];
    this.#begun = false;
    return piece;
  }
}
