/** A serial line between a hub and a node: slow, with seeded noise, and a plug that can be pulled. */
import type { Random, VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import type { WorldProcess } from "./process.ts";

export interface Noise {
  /** Chance that a write loses a byte, has one changed, or comes twice. */
  readonly drop: number;
  readonly corrupt: number;
  readonly duplicate: number;
}

const QUIET: Noise = { drop: 0, corrupt: 0, duplicate: 0 };

/** 115200 baud, 8N1. */
const MS_PER_BYTE = 10_000 / 115_200;

/** An end as the line itself sees it. */
export interface End extends ByteLink {
  hear(bytes: Uint8Array): void;
  lose(reason: string): void;
}

/** A plug: the node's side is always there, the hub's opens it again and again. */
export class SerialLine {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #attachNode: (link: ByteLink) => void;
  readonly #detachNode: () => void;
  noise: Noise = QUIET;
  #plugged = true;
  /** Bytes for a node that stands still; undefined while it goes. */
  #standing: (() => void)[] | undefined;
  #close: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(clock: VirtualClock, random: Random, node: { attach(link: ByteLink): void; detach(): void }) {
    this.#clock = clock;
    this.#random = random;
    this.#attachNode = (link) => node.attach(link);
    this.#detachNode = () => node.detach();
  }

  /** Opens the port for a hub; waits while it is unplugged. */
  async open(hub: WorldProcess, signal: AbortSignal): Promise<ByteLink> {
    while (!this.#plugged) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.add(resolve);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    }
    this.#close?.();
    return this.#connect(hub);
  }

  unplug(): void {
    this.#plugged = false;
    this.#close?.();
  }

  plug(): void {
    this.#plugged = true;
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }

  /** The node stands still: what comes for it waits in its buffer. */
  standStill(): void {
    this.#standing ??= [];
  }

  /** It goes on, with all that has come meanwhile at once. */
  goOn(): void {
    const waiting = this.#standing ?? [];
    this.#standing = undefined;
    for (const deliver of waiting) deliver();
  }

  #toNode(deliver: () => void): void {
    if (this.#standing) this.#standing.push(deliver);
    else deliver();
  }

  #connect(hub: WorldProcess): ByteLink {
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      this.#detachNode();
      hub.enter(() => hubEnd.lose("the line is down"));
      nodeEnd.lose("the line is down");
    };
    const carry = (bytes: Uint8Array, deliver: (bytes: Uint8Array) => void): Promise<void> => {
      if (!open) return Promise.reject(new Error("the line is down"));
      return new Promise((resolve) => {
        this.#clock.timer("serial line", bytes.length * MS_PER_BYTE, () => {
          resolve();
          if (open) for (const chunk of this.#disturb(bytes)) deliver(chunk);
        });
      });
    };
    const hubEnd = end((bytes) => carry(bytes, (chunk) => this.#toNode(() => open && nodeEnd.hear(chunk))), close);
    const nodeEnd = end((bytes) => carry(bytes, (chunk) => hub.enter(() => hubEnd.hear(chunk))), close);
    this.#close = close;
    hub.onKill(close);
    this.#attachNode(nodeEnd);
    return hubEnd;
  }

  #disturb(bytes: Uint8Array): Uint8Array[] {
    const { drop, corrupt, duplicate } = this.noise;
    const at = Math.floor(this.#random.fraction() * bytes.length);
    if (this.#random.fraction() < drop) return [bytes.slice(0, at), bytes.slice(at + 1)];
    if (this.#random.fraction() < corrupt) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(this.#random.fraction() * 8));
      return [changed];
    }
    return this.#random.fraction() < duplicate ? [bytes, bytes] : [bytes];
  }
}

/** One end of a line: written bytes go to `write`, and received bytes are given to it. */
export function end(write: (bytes: Uint8Array) => Promise<void>, close: () => void): End {
  let onBytes: (bytes: Uint8Array) => void = () => undefined;
  let onClosed: (reason: string) => void = () => undefined;
  return {
    listen(bytes, closed) {
      onBytes = bytes;
      onClosed = closed;
    },
    write,
    close,
    hear: (bytes) => onBytes(bytes),
    lose: (reason) => onClosed(reason),
  };
}
