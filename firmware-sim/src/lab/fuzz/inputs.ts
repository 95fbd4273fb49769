/**
 * What a fuzzer says, frame after frame without end: honest messages, messages out of shape, damage on the line, repetitions, a
 * handshake out of order, noise. The same seed says the same, regardless of the answers.
 */
import { pick, type Random, randomInteger } from "@porchlight/shared/kernel";
import { encodeFrame } from "@porchlight/shared/wire";
import type { Sender } from "../capture/capture.ts";
import { damaged } from "./damaged.ts";
import { type Fields, Honest, type Vocabulary } from "./honest.ts";
import { bodyOf, misshapen } from "./misshapen.ts";

/** Frames that may be said again. */
const REMEMBERED = 16;
const LONGEST_NOISE = 64;

export class Inputs {
  readonly #random: Random;
  readonly #honest: Honest;
  #said: Uint8Array[] = [];

  /** @param side who is played @param words what there is to name */
  constructor(random: Random, side: Sender, words: Vocabulary) {
    this.#random = random;
    this.#honest = new Honest(random, side, words);
  }

  /** The next bytes: mostly a frame, and not always a whole one. */
  next(): Uint8Array {
    const bytes = this.#bytes(randomInteger(this.#random, 100));
    this.#said = [...this.#said.slice(1 - REMEMBERED), bytes];
    return bytes;
  }

  #bytes(roll: number): Uint8Array {
    const random = this.#random;
    if (roll < 35) return this.#frame(this.#honest.next());
    if (roll < 62) return encodeFrame(misshapen(random, this.#honest.next()));
    if (roll < 78) return damaged(random, this.#frame(this.#honest.next()));
    if (roll < 86) return this.#said[randomInteger(random, this.#said.length)] ?? this.#frame(this.#honest.next());
    if (roll < 94) return this.#frame(this.#honest.outOfTurn());
    const noise = random.bytes(1 + randomInteger(random, LONGEST_NOISE));
    return pick(random, [noise, encodeFrame(noise)]);
  }

  #frame(fields: Fields): Uint8Array {
    return encodeFrame(bodyOf(fields));
  }
}
