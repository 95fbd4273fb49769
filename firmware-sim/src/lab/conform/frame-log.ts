/** The frames of a line, recorded so that a verdict can show the bytes that led to it. */
import type { Clock } from "@porchlight/shared/kernel";

export interface LoggedFrame {
  /** ms since the start of the log. */
  readonly at: number;
  readonly from: "hub" | "node";
  /** The bytes as transmitted: escaped, with their delimiters. */
  readonly bytes: Uint8Array;
}

/** Number of frames to keep: no later verdict needs older ones. */
const KEPT = 2000;
/** Bytes to keep of one entry: the beginning is enough to recognise noise. */
const MOST_BYTES = 4200;

export class ConformFrameLog {
  readonly #clock: Clock;
  readonly #since: number;
  #frames: LoggedFrame[] = [];
  #dropped = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Position of the next frame. */
  get end(): number {
    return this.#dropped + this.#frames.length;
  }

  add(from: "hub" | "node", bytes: Uint8Array): LoggedFrame {
    const frame = { at: this.#clock.monotonic() - this.#since, from, bytes: bytes.slice(0, MOST_BYTES) };
    this.#frames.push(frame);
    if (this.#frames.length > KEPT) {
      this.#frames = this.#frames.slice(KEPT / 2);
      this.#dropped += KEPT / 2;
    }
    return frame;
  }

  /** The frames since a position from {@link end}, at most the last `most`. */
  since(place: number, most = 12): readonly LoggedFrame[] {
    return this.#frames.slice(Math.max(0, place - this.#dropped)).slice(-most);
  }
}

/** Bytes in the notation of the protocol document: `C0 82 0B`; a long run is cut. */
export function hexOf(bytes: Uint8Array, most = 256): string {
  const shown = [...bytes.subarray(0, most)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase());
  if (bytes.length > most) shown.push(`… ${bytes.length - most} more`);
  return shown.join(" ");
}
