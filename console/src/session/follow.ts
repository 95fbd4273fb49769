/** Follows an event stream for a user: reports lost and restored connections, and missed events. */
import type { ConnectionState, StreamItem, StreamOptions } from "@porchlight/sdk";
import type { Context } from "./command.ts";

/** The state of a stream in words for users. */
export class StreamState {
  #isLost = false;
  #isReset = false;

  /** @returns the message about this state; undefined when it is not new */
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

  /** The message about an item; undefined for nearly all items. */
  item({ kind }: StreamItem): string | undefined {
    const wasReset = this.#isReset;
    this.#isReset = kind === "reset";
    if (kind === "reset") return "Some events were missed, because the service no longer has them.";
    return wasReset && kind === "snapshot" ? "All values were read again." : undefined;
  }
}

/** Receives reports about the state of a stream. */
interface Follower {
  /** Called when a connection is established or lost. */
  readonly onConnection: (connection: ConnectionState) => void;
  /** Called with a message for the user. */
  readonly say: (text: string) => void;
}

/** Items of the stream until the session ends; messages go to stderr. @throws PorchlightError; the session's abort reason */
export function follow(context: Context, options: StreamOptions): AsyncGenerator<StreamItem, void, undefined> {
  const { output, signal } = context;
  const say = (text: string) => output.note({ style: "yellow", text });
  return followed(context, { ...options, signal }, { onConnection: () => undefined, say });
}

/** The same for a caller with its own output and signal. @throws PorchlightError; the signal's reason */
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
