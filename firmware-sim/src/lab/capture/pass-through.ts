/** Stands between a board and a hub: hands bytes on as they come, unchanged, and tells of them afterwards. */
import type { ByteLink } from "@porchlight/shared/wire";
import type { Sender } from "./capture.ts";

export interface Between {
  /** The line to the hub: what comes from it is the hub's. */
  readonly hub: ByteLink;
  /** The line to the board. */
  readonly board: ByteLink;
  onPassed(from: Sender, bytes: Uint8Array): void;
}

/** Which side went away, and why. */
export interface Parted {
  readonly side: Sender;
  readonly reason: string;
}

/** Passes bytes until a side is gone; then the other line is closed too. */
export function passThrough({ hub, board, onPassed }: Between): Promise<Parted> {
  return new Promise((resolve) => {
    const pass = (side: Sender, from: ByteLink, to: ByteLink) =>
      from.listen(
        (bytes) => {
          // What a line that is going down does not take is told by its end.
          to.write(bytes).catch(() => undefined);
          onPassed(side, bytes);
        },
        (reason) => {
          to.close();
          resolve({ side, reason });
        },
      );
    pass("hub", hub, board);
    pass("node", board, hub);
  });
}
