/** A request of the hub before it has a seq: the caller's part, apart from the exchange that sends it. */
import type { Attempt } from "@porchlight/driver-kit";
import type { Message, MessageName } from "@porchlight/shared/wire";

export interface Ask {
  readonly make: (seq: number) => Message;
  readonly answer: MessageName;
  /** The request changes something at the device: its repetitions must be recognised as such. */
  readonly acts?: boolean;
  /** The permission that is checked before every try; absent for the hub's own requests, which yield to commands. */
  readonly attempt?: Attempt | undefined;
  /** Records the node's other statements about the property meanwhile. */
  readonly watch?: RequestWatch | undefined;
}

export interface RequestWatch {
  /** The first copy of a seq has left. */
  left(): void;
  /** The answer has come. */
  answered(): void;
}
