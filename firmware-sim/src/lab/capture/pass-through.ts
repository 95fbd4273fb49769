/** Sits between a board and a hub: passes bytes on immediately and unchanged, and reports them afterwards. */
import type { ByteLink } from "@porchlight/shared/wire";
import type { Sender } from "./capture.ts";

export interface Between {
  /** The line to the hub: bytes from it are the hub's. */
  readonly hub: ByteLink;
  /** The line to the board. */
  readonly board: ByteLink;
  onPassed(from: Sender, bytes: Uint8Array): void;
}

/** The side that closed its line, and the reason. */
export interface Parted {
  readonly side: Sender;
  readonly reason: string;
}

/** Passes bytes until one side closes; then closes the other line. */
export function passThrough({ hub, board, onPassed }: Between): Promise<Parted> {
  return new Promise((resolve) => {
    const pass = (side: Sender, from: ByteLink, to: ByteLink) =>
      from.listen(
        (bytes) => {
          // The end of that line reports the failure.
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
