/**
 * One event stream for all tabs of a browser: over HTTP/1.1 a browser allows six connections per host, and a stream occupies one
 * permanently. The tab that holds the lock reads the stream and broadcasts to the others; when it closes, the next tab resumes after the
 * last event.
 */
import type { ConnectionState, PorchlightEvent, StreamItem, StreamOptions } from "@porchlight/sdk";

export type LiveItem =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** Events may have been missed: refetch the displayed data. */
  | { readonly kind: "refetch" }
  | { readonly kind: "connection"; readonly connection: ConnectionState }
  /** The service has sent data, so it is reachable. */
  | { readonly kind: "heard" };

/** The SDK function that the stream needs. */
type OpenStream = (options: StreamOptions) => AsyncIterable<StreamItem>;

/** A lock that one tab holds at a time; the promise settles when `job` does. */
export type Lock = (name: string, signal: AbortSignal, job: () => Promise<void>) => Promise<void>;

interface SharedStreamDeps {
  readonly ecosystemId: string;
  readonly open: OpenStream;
  readonly lock: Lock;
  readonly channel: BroadcastChannel;
  readonly onItem: (item: LiveItem) => void;
  /** The service refused the stream: the log-in has expired, or the ecosystem is deleted. */
  readonly onRefused: (error: unknown) => void;
}

/** Maximum silence in ms before the stream reconnects: three missing comments of the service. */
const SILENCE = 15_000;

/** The message by which a new tab requests the state from the reading tab. */
const HOW_IS_IT = "how is it";

export class SharedStream {
  readonly #deps: SharedStreamDeps;
  readonly #abort = new AbortController();
  #last: number | undefined;
  #connection: ConnectionState | undefined;
  #isReading = false;

  constructor(deps: SharedStreamDeps) {
    this.#deps = deps;
    deps.channel.onmessage = ({ data }) => this.#hear(data);
    deps.channel.postMessage(HOW_IS_IT);
    const { signal } = this.#abort;
    deps
      .lock(`porchlight-stream-${deps.ecosystemId}`, signal, () => this.#read())
      .catch((error: unknown) => {
        if (!signal.aborted) deps.onRefused(error);
      });
  }

  close(): void {
    this.#abort.abort();
    this.#deps.channel.close();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    const { ecosystemId, open } = this.#deps;
    const { signal } = this.#abort;
    const resumes = this.#last !== undefined;
    let isFirst = true;
    const onConnection = (connection: ConnectionState) => {
      this.#tell({ kind: "connection", connection });
      // The stream begins now, so data that was fetched before can be outdated.
      if (connection.state === "connected" && isFirst && !resumes) this.#tell({ kind: "refetch" });
      if (connection.state === "connected") isFirst = false;
    };
    const onHeard = () => this.#tell({ kind: "heard" });
    for await (const item of open({
      ...{ ecosystemId, after: this.#last, silenceMs: SILENCE },
      ...{ onConnection, onHeard, signal },
    })) {
      if (item.kind === "event") this.#tell({ kind: "event", event: item.event });
      else this.#tell({ kind: "refetch" });
    }
  }

  #tell(item: LiveItem): void {
    this.#take(item);
    this.#deps.channel.postMessage(item);
  }

  #hear(message: unknown): void {
    if (message !== HOW_IS_IT) this.#take(message as LiveItem);
    else if (this.#isReading && this.#connection)
      this.#deps.channel.postMessage({ kind: "connection", connection: this.#connection });
  }

  #take(item: LiveItem): void {
    if (item.kind === "event") this.#last = Math.max(this.#last ?? 0, item.event.sequence);
    if (item.kind === "connection") {
      const isAsBefore = this.#connection?.state === "connected" && item.connection.state === "connected";
      this.#connection = item.connection;
      if (isAsBefore) return;
    }
    this.#deps.onItem(item);
  }
}

/** A lock by the browser's Web Locks API. */
export const browserLock: Lock = (name, signal, job) => navigator.locks.request(name, { signal }, job);
