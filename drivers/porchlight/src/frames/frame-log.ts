/**
 * The frames that carried the newest values and commands of each property, in memory: what went over the line, for the answer to
 * why. Of all lines together, because the memory for it is one.
 *
 * Invariants: of a property it keeps at most {@link MOST_EXCHANGES} exchanges, and in all no more bytes than it may; the oldest
 * exchange goes first. No handshake, description or sign of life is kept: a property that is told often pushes out its own exchanges,
 * and those of others only when there is no room.
 */
import type { Clock } from "@porchlight/shared/kernel";
import {
  addressKey,
  type KeptExchange,
  type KeptFrames,
  MOST_EXCHANGES,
  MOST_FRAMES_JSON,
  type PropertyAddress,
} from "@porchlight/shared/model";
import { type Exchange, type FrameTap, type KeptFrame, LineFrames, type LogPlace } from "./line-frames.ts";
import { toldExchange } from "./told-exchange.ts";

/** What an exchange and a frame take besides the bytes of the frame, measured. */
const EXCHANGE_BYTES = 700;
const FRAME_BYTES = 280;

export interface FrameTarget extends PropertyAddress {
  readonly device: string;
}

export class FrameLog {
  /** Monotonic ms: from when on frames are kept. */
  readonly #since: number;
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #mostBytes: number;
  /** The newest last. */
  readonly #byProperty = new Map<string, Exchange[]>();
  /** Of all; the others follow by their places. */
  #oldest: Exchange | undefined;
  #newest: Exchange | undefined;
  #bytes = 0;

  constructor(clock: Pick<Clock, "monotonic">, mostBytes: number) {
    this.#clock = clock;
    this.#mostBytes = mostBytes;
    this.#since = clock.monotonic();
  }

  /** What is kept, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Of one more line, for as often as it is opened. */
  tap(): FrameTap {
    return new LineFrames(this.#clock, (exchange, frame) => this.#keep(exchange, frame));
  }

  /**
   * What is kept of a property; of reports those that the hub has acknowledged.
   * @param now wall clock, ms: the hub's time, which need not be that of its system
   */
  of(target: FrameTarget, now: number): KeptFrames {
    const offset = now - this.#clock.monotonic();
    const exchanges: KeptExchange[] = [];
    let size = 0;
    for (const exchange of this.#byProperty.get(keyOf(target.device, target))?.toReversed() ?? []) {
      if (exchange.kind === "report" && !exchange.isAnswered) continue;
      const told = toldExchange(exchange, offset);
      size += Buffer.byteLength(JSON.stringify(told));
      if (size > MOST_FRAMES_JSON) break;
      exchanges.push(told);
    }
    return { kind: "kept", since: this.#since + offset, exchanges };
  }

  #keep(exchange: Exchange, frame: KeptFrame): void {
    const place = exchange.place ?? this.#enter(exchange);
    exchange.frames.push(frame);
    const taken = FRAME_BYTES + (frame.kind === "damaged" ? 0 : frame.bytes.length);
    place.bytes += taken;
    this.#bytes += taken;
    if (this.#bytes > this.#mostBytes) this.#makeRoom();
  }

  #enter(exchange: Exchange): LogPlace {
    const siblings = this.#siblingsOf(exchange);
    const place: LogPlace = { siblings, bytes: EXCHANGE_BYTES, older: this.#newest, newer: undefined };
    exchange.place = place;
    if (this.#newest?.place) this.#newest.place.newer = exchange;
    else this.#oldest = exchange;
    this.#newest = exchange;
    this.#bytes += EXCHANGE_BYTES;
    siblings.push(exchange);
    const [oldest] = siblings;
    if (oldest && siblings.length > MOST_EXCHANGES) this.#forget(oldest);
    return place;
  }

  #siblingsOf({ device, address }: Exchange): Exchange[] {
    const key = keyOf(device, address);
    const known = this.#byProperty.get(key);
    if (known) return known;
    const siblings: Exchange[] = [];
    this.#byProperty.set(key, siblings);
    return siblings;
  }

  /** A little more than is needed, so that it is seldom done. */
  #makeRoom(): void {
    while (this.#oldest && this.#bytes > this.#mostBytes * 0.9) this.#forget(this.#oldest);
  }

  /** The oldest of its property. */
  #forget(exchange: Exchange): void {
    const { place, device, address } = exchange;
    if (!place) return;
    const { older, newer, siblings } = place;
    if (older?.place) older.place.newer = newer;
    else this.#oldest = newer;
    if (newer?.place) newer.place.older = older;
    else this.#newest = older;
    siblings.shift();
    if (siblings.length === 0) this.#byProperty.delete(keyOf(device, address));
    this.#bytes -= place.bytes;
    exchange.place = undefined;
    // Its line may still know it.
    exchange.isGone = true;
    exchange.frames.length = 0;
  }
}

function keyOf(device: string, address: PropertyAddress): string {
  return `${device} ${addressKey(address)}`;
}
