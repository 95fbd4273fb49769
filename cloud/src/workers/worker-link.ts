/** A worker's end of the channel to its supervisor: it tells that it listens, hears that it is to end, and reads the metrics of all. */
import type { Clock, Log } from "@porchlight/shared/kernel";
import type { MetricsText } from "../http/index.ts";
import { mergeMetrics } from "./merge-metrics.ts";
import { type FromWorker, toWorker } from "./worker-messages.ts";

/** The channel as the system has it. */
export interface Channel {
  /** What is said when the supervisor has gone is lost. */
  tell(message: FromWorker): void;
  hear(listener: (message: unknown) => void): void;
}

export interface WorkerLinkDeps {
  /** Of the worker, from 1 on. */
  readonly number: number;
  readonly channel: Channel;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long the supervisor may take to gather the metrics of all, ms: longer than it gives each worker. */
const GATHER_MS = 4_000;

export class WorkerLink {
  readonly #deps: WorkerLinkDeps;
  readonly #drain = Promise.withResolvers<void>();
  readonly #asked = new Map<number, (text: string) => void>();
  #own: MetricsText | undefined;
  #count = 0;

  private constructor(deps: WorkerLinkDeps) {
    this.#deps = deps;
    deps.channel.hear((message) => this.#heard(message));
  }

  static start(deps: WorkerLinkDeps): WorkerLink {
    return new WorkerLink(deps);
  }

  /** Settles when it must end. */
  get drain(): Promise<void> {
    return this.#drain.promise;
  }

  /** It accepts requests from now on. */
  listening(url: string): void {
    this.#deps.channel.tell({ kind: "listening", url });
  }

  /** The metrics of all workers, in the place of its own; its own alone when the supervisor does not answer. */
  gathered(own: MetricsText): MetricsText {
    this.#own = own;
    return {
      get contentType() {
        return own.contentType;
      },
      text: async () => (await this.#gather()) ?? mergeMetrics(new Map([[`${this.#deps.number}`, await own.text()]])),
    };
  }

  #gather(): Promise<string | undefined> {
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const timer = this.#deps.clock.timer("metrics of all workers", GATHER_MS, () => resolve(undefined));
    this.#asked.set(id, resolve);
    this.#deps.channel.tell({ kind: "gather", id });
    return promise.finally(() => {
      timer.cancel();
      this.#asked.delete(id);
    });
  }

  #heard(message: unknown): void {
    const { data } = toWorker.safeParse(message);
    if (data?.kind === "drain") this.#drain.resolve();
    else if (data?.kind === "metrics?") void this.#tellOwn(data.id);
    else if (data?.kind === "gathered") this.#asked.get(data.id)?.(data.text);
    else this.#deps.log.warn({}, "a message of the supervisor was not understood");
  }

  async #tellOwn(id: number): Promise<void> {
    try {
      const text = (await this.#own?.text()) ?? "";
      this.#deps.channel.tell({ kind: "metrics", id, text });
    } catch (error) {
      this.#deps.log.error({ error }, "the metrics could not be told");
    }
  }
}
