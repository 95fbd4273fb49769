/** Two ends of a line in memory: bytes written at one end arrive at the other, in order, never within the same call. */
import type { ByteLink } from "@porchlight/shared/wire";

/** A pair of connected ends; closing one closes both. */
export function memoryLinks(): [ByteLink, ByteLink] {
  const left = new MemoryEnd();
  const right = new MemoryEnd();
  left.join(right);
  right.join(left);
  return [left, right];
}

type OnBytes = (bytes: Uint8Array) => void;
type OnClosed = (reason: string) => void;

class MemoryEnd implements ByteLink {
  #other: MemoryEnd | undefined;
  #listener: { readonly onBytes: OnBytes; readonly onClosed: OnClosed } | undefined;
  #arrived: Uint8Array[] = [];
  #closed: string | undefined;

  join(other: MemoryEnd): void {
    this.#other = other;
  }

  listen(onBytes: OnBytes, onClosed: OnClosed): void {
    this.#listener = { onBytes, onClosed };
    queueMicrotask(() => this.#deliver());
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#closed !== undefined) throw new Error(this.#closed);
    this.#other?.arrive(new Uint8Array(bytes));
  }

  close(): void {
    this.end("closed here");
    this.#other?.end("closed by the other side");
  }

  arrive(bytes: Uint8Array): void {
    this.#arrived.push(bytes);
    queueMicrotask(() => this.#deliver());
  }

  end(reason: string): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    const listener = this.#listener;
    if (!listener) return;
    const arrived = this.#arrived;
    this.#arrived = [];
    for (const bytes of arrived) listener.onBytes(bytes);
    if (this.#closed === undefined) return;
    this.#listener = undefined;
    listener.onClosed(this.#closed);
  }
}
