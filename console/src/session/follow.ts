/** An event stream as a person follows it: a lost connection is told of, and that it is back, and whether anything was missed. */
import type { ConnectionState, StreamItem, StreamOptions } from "@porchlight/sdk";
import type { Context } from "./context.ts";

/** How a stream stands, in words that a person reads; undefined while nothing must be said. */
export class StreamState {
  #isLost = false;
  #isReset = false;

  /** @returns what must be said of this; undefined when it is nothing new */
  next(connection: ConnectionState): string | undefined {
    if (connection.state === "lost") {
      this.#isLost = true;
      const why = connection.cause?.status ? ` (${connection.cause.name})` : "";
      return `The connection is lost${why}. Next try in ${secondsText(connection.nextTryMs)}.`;
    }
    if (!this.#isLost) return undefined;
    this.#isLost = false;
    return "Connected again.";
  }

  /** What must be said of an item; undefined for nearly all. */
  item({ kind }: StreamItem): string | undefined {
    const wasReset = this.#isReset;
    this.#isReset = kind === "reset";
    if (kind === "reset") return "Some events were missed, because the service no longer has them.";
    return wasReset && kind === "snapshot" ? "All values were read again." : undefined;
  }
}

/** Whoever is told how the stream stands. */
export interface Follower {
  /** A connection is made, or lost. */
  readonly onConnection: (connection: ConnectionState) => void;
  /** Something must be said. */
  readonly say: (text: string) => void;
}

/** Items of the stream until the session ends; what must be said goes to stderr. @throws PorchlightError; the session's end */
export function follow(context: Context, options: StreamOptions): AsyncGenerator<StreamItem, void, undefined> {
  const { output, signal } = context;
  const say = (text: string) => output.note({ style: "yellow", text });
  return followed(context, { ...options, signal }, { onConnection: () => undefined, say });
}

/** The same for who says it in another way, and has a signal of his own. @throws PorchlightError; the signal's reason */
export async function* followed(
  { porchlight }: Context,
  options: StreamOptions,
  follower: Follower,
): AsyncGenerator<StreamItem, void, undefined> {
  const state = new StreamState();
  const say = (text: string | undefined) => {
    if (text !== undefined) follower.say(text);
  };
  const onConnection = (connection: ConnectionState) => {
    follower.onConnection(connection);
    say(state.next(connection));
  };
  for await (const item of porchlight.events({ ...options, onConnection })) {
    say(state.item(item));
    yield item;
  }
}

/** `0.5 s`, `3 s`. */
export function secondsText(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms / 100)) / 10} s` : `${Math.round(ms / 1000)} s`;
}
