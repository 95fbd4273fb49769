/** A request of the hub before it has a seq: what its asker gives, apart from the exchange that carries it out. */
import type { Attempt } from "@porchlight/driver-kit";
import type { Message, MessageName } from "@porchlight/shared/wire";

export interface Ask {
  readonly make: (seq: number) => Message;
  readonly answer: MessageName;
  /** It changes something at the device: its repetition must be known as one. */
  readonly acts?: boolean;
  /** Whose permission it needs before every try; none for what the hub asks by itself, which lets commands go first. */
  readonly attempt?: Attempt | undefined;
  /** Looks at what else the node states of the property meanwhile. */
  readonly watch?: RequestWatch | undefined;
}

export interface RequestWatch {
  /** The first copy of a seq leaves. */
  left(): void;
  /** Its answer comes. */
  answered(): void;
}
