/** The lines of a node: one is served, and a newer one takes over with its first good frame. DP1. */
import { type ByteLink, type FrameEvent, FrameReader } from "@porchlight/shared/wire";

/** Receives the events of the served line. */
export interface LineUser {
  /** Another line is now served. */
  connected(): void;
  received(event: FrameEvent): void;
  /** No line is left. */
  disconnected(reason: string): void;
}

interface Line {
  readonly link: ByteLink;
  readonly reader: FrameReader;
}

/** Maximum number of connections that wait for their first good frame; further ones are closed at once. */
const MAX_CANDIDATES = 8;

export class Lines {
  readonly #limit: number;
  readonly #user: LineUser;
  readonly #candidates = new Set<Line>();
  #served: Line | undefined;

  /** @param limit the node's frame limit, bytes */
  constructor(limit: number, user: LineUser) {
    this.#limit = limit;
    this.#user = user;
  }

  get connected(): boolean {
    return this.#served !== undefined;
  }

  /** Adds a line: it is served at once when there is no other. */
  attach(link: ByteLink): void {
    if (this.#candidates.size === MAX_CANDIDATES) {
      link.close();
      return;
    }
    const line: Line = { link, reader: new FrameReader(this.#limit) };
    link.listen(
      (bytes) => this.#bytes(line, bytes),
      (reason) => this.#closed(line, reason),
    );
    if (this.#served) this.#candidates.add(line);
    else this.#serve(line);
  }

  /** Closes every line: the cable is pulled. */
  detach(reason: string): void {
    const served = this.#served;
    this.#served = undefined;
    const candidates = [...this.#candidates];
    this.#candidates.clear();
    for (const line of candidates) line.link.close();
    served?.link.close();
    if (served) this.#user.disconnected(reason);
  }

  /** Sends a frame on the served line; a frame that cannot be sent is lost, as on a wire, and reported to `onLost`. */
  send(frame: Uint8Array, onLost: (reason: unknown) => void): void {
    this.#served?.link.write(frame).catch(onLost);
  }

  #serve(line: Line): void {
    const older = this.#served;
    this.#candidates.delete(line);
    this.#served = line;
    older?.link.close();
    this.#user.connected();
  }

  #bytes(line: Line, bytes: Uint8Array): void {
    for (const event of line.reader.push(bytes)) {
      if (this.#candidates.has(line) && event.kind === "frame") this.#serve(line);
      if (this.#served === line) this.#user.received(event);
    }
  }

  #closed(line: Line, reason: string): void {
    this.#candidates.delete(line);
    if (this.#served !== line) return;
    this.#served = undefined;
    const next = [...this.#candidates].at(-1);
    if (next) this.#serve(next);
    else this.#user.disconnected(reason);
  }
}
