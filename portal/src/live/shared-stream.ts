/**
 * One event stream for all tabs of a browser: a browser keeps six connections to a host over HTTP/1.1, and a stream takes one for good.
 * The tab that holds the lock reads the stream and tells the others; when it goes, the next one resumes after the last event seen.
 */
import type { ConnectionState, PorchlightEvent, StreamItem, StreamOptions } from "@porchlight/sdk";

export type LiveItem =
  | { readonly kind: "event"; readonly event: PorchlightEvent }
  /** Events may have been missed: what is shown must be fetched anew. */
  | { readonly kind: "refetch" }
  | { readonly kind: "connection"; readonly connection: ConnectionState }
  /** The service has said something: it is there. */
  | { readonly kind: "heard" };

/** What of the SDK is needed. */
export type OpenStream = (options: StreamOptions) => AsyncIterable<StreamItem>;

/** Held by one tab at a time; settles when `job` has. */
export type Lock = (name: string, signal: AbortSignal, job: () => Promise<void>) => Promise<void>;

export interface SharedStreamDeps {
  readonly ecosystemId: string;
  readonly open: OpenStream;
  readonly lock: Lock;
  readonly channel: BroadcastChannel;
  readonly onItem: (item: LiveItem) => void;
  /** The stream was refused: the log-in has ended, or the ecosystem is gone. */
  readonly onRefused: (error: unknown) => void;
}

/** After so long a silence another connection is made, ms: three of the service's comments did not come. */
const SILENCE = 15_000;

/** What a tab that has just come asks of the one that reads. */
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
      // It begins at now: what was fetched before may be older.
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

/** The browser's own locks. */
export const browserLock: Lock = (name, signal, job) => navigator.locks.request(name, { signal }, job);
