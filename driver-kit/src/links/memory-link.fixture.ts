/** A line in memory: two ends of bytes that arrive in the order in which they were written, a turn later, as on a wire. */
import type { ByteLink } from "@porchlight/shared/wire";

/** Both ends of a line. Closing either takes both down. */
export function memoryLinkPair(): [ByteLink, ByteLink] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.connect(right);
  right.connect(left);
  return [left, right];
}

class MemoryEnd implements ByteLink {
  #peer: MemoryEnd | undefined;
  #onBytes: ((bytes: Uint8Array) => void) | undefined;
  #onClosed: ((reason: string) => void) | undefined;
  #early: Uint8Array[] = [];
  #isClosed = false;

  connect(peer: MemoryEnd): void {
    this.#peer = peer;
  }

  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void {
    this.#onBytes = onBytes;
    this.#onClosed = onClosed;
    if (this.#isClosed) onClosed("closed");
    const early = this.#early;
    this.#early = [];
    for (const bytes of early) onBytes(bytes);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed) throw new Error("the line is closed");
    const copy = Uint8Array.from(bytes);
    queueMicrotask(() => this.#peer?.take(copy));
  }

  close(): void {
    this.end();
    this.#peer?.end();
  }

  take(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (this.#onBytes) this.#onBytes(bytes);
    else this.#early.push(bytes);
  }

  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed?.("closed");
  }
}
