/** One process of a worker, from its start to its end: what it has said, and what it is asked. Its own file because a worker is several processes, one after another. */
import { type Clock, type Log, sleep } from "@porchlight/shared/kernel";
import { fromWorker, type ToWorker } from "./worker-messages.ts";

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A process as the system has it. */
export interface WorkerProcess {
  readonly pid: number;
  /** What is said to one that has ended is lost. */
  tell(message: ToWorker): void;
  /** SIGKILL. */
  kill(): void;
}

export interface WorkerEvents {
  readonly heard: (message: unknown) => void;
  readonly ended: (how: Ended) => void;
}

/** Starts the process of a worker. @param number of the worker, from 1 on */
export type StartProcess = (number: number, events: WorkerEvents) => WorkerProcess;

export interface RunningDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly startProcess: StartProcess;
  /** Somebody reads the metrics of all at this process, and is to get them under that number. */
  readonly gather: (process: WorkerProcess, id: number) => void;
}

/** How long a worker may take to tell its metrics, ms. */
const METRICS_MS = 2_000;
/** How long one may take to end in order, ms; as long as the unit allows the whole service. */
const END_MS = 60_000;

export class RunningWorker {
  readonly #deps: RunningDeps;
  readonly #process: WorkerProcess;
  readonly #number: number;
  readonly #listening = Promise.withResolvers<string | undefined>();
  readonly #end = Promise.withResolvers<Ended>();
  readonly #asked = new Map<number, (text: string) => void>();
  readonly startedAt: number;
  #isListening = false;
  #count = 0;

  constructor(number: number, deps: RunningDeps) {
    this.#deps = deps;
    this.#number = number;
    this.startedAt = deps.clock.monotonic();
    this.#process = deps.startProcess(number, {
      heard: (message) => this.#heard(message),
      ended: (how) => {
        this.#isListening = false;
        this.#listening.resolve(undefined);
        this.#end.resolve(how);
      },
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Settles with where it listens; with undefined when it ended before. */
  get listening(): Promise<string | undefined> {
    return this.#listening.promise;
  }

  get isListening(): boolean {
    return this.#isListening;
  }

  /** Settles when it has ended. */
  get ended(): Promise<Ended> {
    return this.#end.promise;
  }

  /** Its metrics; undefined when it does not tell them in time. */
  metrics(): Promise<string | undefined> {
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const timer = this.#deps.clock.timer("metrics of a worker", METRICS_MS, () => resolve(undefined));
    this.#asked.set(id, resolve);
    this.#process.tell({ kind: "metrics?", id });
    return promise.finally(() => {
      timer.cancel();
      this.#asked.delete(id);
    });
  }

  /** Ends it in order; by force when it has not ended in time. Settles when it has ended. */
  async drain(): Promise<Ended> {
    const { clock, log } = this.#deps;
    this.#process.tell({ kind: "drain" });
    const late = new AbortController();
    const kill = () => {
      log.error({ worker: this.#number, pid: this.pid }, "a worker did not end in time; it is killed");
      this.#process.kill();
    };
    sleep(clock, "end of a worker", END_MS, late.signal).then(kill, () => undefined);
    const ended = await this.ended;
    late.abort();
    return ended;
  }

  kill(): void {
    this.#process.kill();
  }

  #heard(message: unknown): void {
    const { data } = fromWorker.safeParse(message);
    if (data?.kind === "listening") {
      this.#isListening = true;
      this.#listening.resolve(data.url);
    } else if (data?.kind === "metrics") this.#asked.get(data.id)?.(data.text);
    else if (data?.kind === "gather") this.#deps.gather(this.#process, data.id);
    else this.#deps.log.warn({ worker: this.#number }, "a message of a worker was not understood");
  }
}
