/** Cuts a stream of bytes after each frame, so that faults fall on frames however the bytes arrive. */

const END = 0xc0;

export class FramePieces {
  #held: number[] = [];
  /** Whether a byte other than END is held. */
  #begun = false;

  /** The pieces that are whole now: each ends with the END that ends its frame. */
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

  /** What is held of a frame that is not whole. */
  flush(): Uint8Array {
    const piece = Uint8Array.from(this.#held);
    this.#held = [];
    this.#begun = false;
    return piece;
  }
}
