/** A line on which somebody watches: the bytes of both directions, as they are on the wire, with their instants. */
import type { Clock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";

/** Bytes on their way. */
export interface Passing {
  /** Monotonic ms. */
  readonly at: number;
  /** Who sent them. */
  readonly from: "hub" | "node";
  readonly bytes: Uint8Array;
}

/** The node's end of the same line; `watch` is told before the bytes go on. */
export function watchedLink(link: ByteLink, clock: Clock, watch: (passing: Passing) => void): ByteLink {
  const see = (from: Passing["from"], bytes: Uint8Array) => {
    if (bytes.length > 0) watch({ at: clock.monotonic(), from, bytes });
  };
  return {
    listen: (onBytes, onClosed) =>
      link.listen((bytes) => {
        see("hub", bytes);
        onBytes(bytes);
      }, onClosed),
    write: (bytes) => {
      see("node", bytes);
      return link.write(bytes);
    },
    close: () => link.close(),
  };
}
