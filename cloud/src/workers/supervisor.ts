/**
 * Keeps so many workers running behind one port: starts them, starts one again that has ended, replaces all without a gap, and ends
 * all in order. Each worker is a node of the service like any other; the supervisor has no part in what they do.
 */
import {
  Backoff,
  type BackoffPolicy,
  type Clock,
  type Log,
  type Random,
  Rounds,
  sleep,
} from "@porchlight/shared/kernel";
import { mergeMetrics } from "./merge-metrics.ts";
import { type Ended, RunningWorker, type StartProcess } from "./running-worker.ts";

export interface SupervisorDeps {
  /** How many workers. */
  readonly count: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly startProcess: StartProcess;
}

/** The first worker ended before it listened. */
export class WorkerFailed extends Error {
  /** Its exit status, which is everybody's: it has said why. Undefined when it was killed, or could not be started at all. */
  readonly status: number | undefined;

  constructor({ code, signal }: Ended) {
    super(`The first worker ended before it accepted requests (${signal ?? `status ${code}`}).`);
    this.status = code || undefined;
  }
}

/** Before a worker is started again: at once after a long run, and less and less often when it ends soon. */
const AGAIN: BackoffPolicy = { firstMs: 1_000, capMs: 30_000, stableMs: 60_000 };

/** A worker: the same number, whichever process it is. */
interface Slot {
  readonly number: number;
  readonly backoff: Backoff;
  /** Undefined while it waits to be started again. */
  running: RunningWorker | undefined;
  starts: number;
}

export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #slots: readonly Slot[];
  readonly #over = new AbortController();
  readonly #replacing = new Rounds(() => this.#replaceEach());
  /** All that run, also those that are being replaced. */
  readonly #all = new Set<RunningWorker>();

  private constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#slots = Array.from({ length: deps.count }, (_, at) => ({
      number: at + 1,
      backoff: new Backoff(AGAIN, deps.random),
      running: undefined,
      starts: 0,
    }));
  }

  /** Nothing runs yet. */
  static of(deps: SupervisorDeps): Supervisor {
    return new Supervisor(deps);
  }

  /**
   * Starts the workers: the first alone, which makes the tables and the keys that the others find. Settles with where they listen, when
   * each of them listens or has ended.
   * @throws WorkerFailed when the first ends before it listens
   */
  async start(): Promise<string> {
    const [first, ...others] = this.#slots;
    if (first === undefined) throw new Error("there is no worker to start");
    const running = this.#run(first);
    const url = await running.listening;
    if (url === undefined) throw new WorkerFailed(await running.ended);
    this.#watch(first, running);
    await Promise.all(
      others.map((slot) => {
        const other = this.#run(slot);
        this.#watch(slot, other);
        return other.listening;
      }),
    );
    return url;
  }

  /** Replaces every worker in turn: a new process listens before the old one is sent away. Once more when it is asked for meanwhile. */
  replaceAll(): Promise<void> {
    return this.#replacing.ask();
  }

  /** One page of all workers' metrics, with what the supervisor knows of them. */
  async metrics(): Promise<string> {
    const pages = new Map<string, string>();
    await Promise.all(
      this.#slots.map(async ({ number, running, starts }) => {
        const own = running?.isListening ? await running.metrics() : undefined;
        pages.set(String(number), `${own ?? ""}\n${ofWorker(own !== undefined, starts)}`);
      }),
    );
    return mergeMetrics(new Map([...pages].sort(([one], [other]) => Number(one) - Number(other))));
  }

  /** Ends all workers in order, and starts none again. Settles when all have ended. */
  async stop(): Promise<void> {
    this.#over.abort(new Error("the service is stopping"));
    await Promise.all([this.#replacing.end(), ...[...this.#all].map((running) => running.drain())]);
  }

  /** SIGKILL to all. */
  killAll(): void {
    this.#over.abort(new Error("the service was killed"));
    for (const running of this.#all) running.kill();
  }

  #run(slot: Slot): RunningWorker {
    const { clock, log, startProcess } = this.#deps;
    const running = new RunningWorker(slot.number, {
      clock,
      log,
      startProcess,
      gather: (process, id) => {
        void this.metrics().then((text) => process.tell({ kind: "gathered", id, text }));
      },
    });
    slot.running = running;
    slot.starts += 1;
    this.#keep(running);
    return running;
  }

  #keep(running: RunningWorker): void {
    this.#all.add(running);
    void running.ended.then(() => this.#all.delete(running));
  }

  /** Starts the worker again when this process of it ends and is still the one of its worker. */
  #watch(slot: Slot, running: RunningWorker): void {
    void running.ended.then(async ({ code, signal }) => {
      if (this.#over.signal.aborted || slot.running !== running) return;
      slot.running = undefined;
      const { clock, log } = this.#deps;
      const waitMs = slot.backoff.next(clock.monotonic() - running.startedAt);
      const about = { worker: slot.number, pid: running.pid, code, signal, startsInMs: Math.round(waitMs) };
      log.error(about, "a worker has ended; it is started again");
      await sleep(clock, "start of a worker", waitMs, this.#over.signal).catch(() => undefined);
      if (this.#over.signal.aborted || slot.running !== undefined) return;
      this.#watch(slot, this.#run(slot));
    });
  }

  async #replaceEach(): Promise<void> {
    const { log } = this.#deps;
    for (const slot of this.#slots) {
      if (this.#over.signal.aborted) return;
      const old = slot.running;
      const next = this.#run(slot);
      if ((await next.listening) === undefined) {
        // Whoever replaces a program by one that does not start keeps the one that runs.
        log.error({ worker: slot.number }, "the new process of a worker did not start; the others are not replaced");
        this.#goOnWith(slot, old);
        return;
      }
      this.#watch(slot, next);
      await old?.drain();
      log.info({ worker: slot.number, pid: next.pid }, "a worker was replaced");
    }
  }

  /** The old process is the worker again, also if it has ended meanwhile. */
  #goOnWith(slot: Slot, old: RunningWorker | undefined): void {
    slot.running = old;
    this.#watch(slot, old ?? this.#run(slot));
  }
}

/** What the supervisor knows of a worker, as metrics. */
function ofWorker(up: boolean, starts: number): string {
  return `# HELP porchlight_worker_up 1 while the worker accepts requests and tells its metrics
# TYPE porchlight_worker_up gauge
porchlight_worker_up ${up ? 1 : 0}

# HELP porchlight_worker_starts_total How often the worker was started
# TYPE porchlight_worker_starts_total counter
porchlight_worker_starts_total ${starts}
`;
}
