/** The line between an agent and a child with a driver, as both ends see it: what carries it, pipes or memory, stands elsewhere. */

/** Largest message either end sends, bytes of its JSON. */
export const MAX_IPC_BYTES = 1024 * 1024;

/** The most questions of one end that the other has not answered. */
export const MOST_IN_FLIGHT = 1000;

export interface ChannelListener {
  /** JSON that no schema has seen. */
  received(message: unknown): void;
  /** Called once, whichever end closes it. */
  closed(why: string): void;
}

/** What both ends have. */
export interface Channel<Listener extends ChannelListener = ChannelListener> {
  /** Hands a message over, in order. Nothing happens once the channel is closed. */
  send(message: object): void;
  /** Begins to listen. What has come before waits for it. */
  listen(listener: Listener): void;
  /** Ends it at once; a child that runs elsewhere is ended with it. Safe to repeat. */
  close(why: string): void;
}

export interface ParentListener extends ChannelListener {
  /**
   * The child stands still until this has answered whether it may touch the device of that attempt now. What a `true` means must be
   * noted before it is given: the child may die with it in its hands.
   */
  mayTouch(attempt: number): boolean;
}

/** The agent's end. */
export interface ParentChannel extends Channel<ParentListener> {
  /** Settles when the child is there no more: only then may another one have its devices. */
  readonly gone: Promise<void>;
}

/** The child's end. */
export interface ChildChannel extends Channel {
  /** Asks the agent and waits for its answer without returning; false when it is not there any more. */
  mayTouch(attempt: number): boolean;
}
