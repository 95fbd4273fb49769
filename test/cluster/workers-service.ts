/** The cloud with several workers, as an operator runs it on one machine: one command over PostgreSQL and NATS, and what its log tells of its processes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../parts/eventually.ts";
import { type Nats, startNats } from "../parts/nats-server.ts";
import { type PostgresServer, startPostgres } from "../parts/postgres-server.ts";
import { Program } from "../parts/program.ts";

export interface WorkersOptions {
  readonly workers: number;
  /** Of the service. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether what PostgreSQL has committed outlasts the machine, or only its processes. */
  readonly durable?: true | "processes";
}

/** A line of the log. */
export interface LogLine {
  readonly worker?: number;
  readonly pid: number;
  readonly msg: string;
}

export interface WorkerProcess {
  readonly worker: number;
  readonly pid: number;
}

export class WorkersService implements AsyncDisposable {
  readonly url: string;
  /** Its data folder. */
  readonly data: string;
  readonly program: Program;
  readonly postgres: PostgresServer;
  readonly nats: Nats;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<WorkersService, "url" | "data" | "program" | "postgres" | "nats">,
    stack: AsyncDisposableStack,
  ) {
    this.url = parts.url;
    this.data = parts.data;
    this.program = parts.program;
    this.postgres = parts.postgres;
    this.nats = parts.nats;
    this.#stack = stack;
  }

  /** Settles when all workers listen. */
  static async start({ workers, env = {}, durable = "processes" }: WorkersOptions): Promise<WorkersService> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-workers-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = stack.use(await startPostgres({ durable }));
    const nats = stack.use(await startNats());
    const flags = { port: "0", data: folder, database: postgres.url, nats: nats.url, workers: String(workers) };
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
    const program = stack.use(new Program("workers", "cloud/src/main.ts", ["serve", ...args], env));
    const url = await program.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
    return new WorkersService({ url, data: folder, program, postgres, nats }, stack.move());
  }

  /** What the service has said lately. */
  get log(): readonly LogLine[] {
    return this.program.said.split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        // The end of a longer line, or nothing.
        return [];
      }
    });
  }

  /** Processes of workers that run now; of a worker that is being replaced there are two. */
  get processes(): readonly WorkerProcess[] {
    return readdirSync("/proc").flatMap((name) => {
      const worker = /^\d+$/.test(name) ? workerOf(name, this.program.pid) : undefined;
      return worker === undefined ? [] : [{ worker, pid: Number(name) }];
    });
  }

  /** The one process of a worker. @throws Error when there is none, or more than one */
  processOf(worker: number): number {
    const pids = this.processes.filter((each) => each.worker === worker).map(({ pid }) => pid);
    const [pid] = pids;
    if (pid === undefined || pids.length > 1) throw new Error(`worker ${worker} has the processes ${pids.join(", ")}`);
    return pid;
  }

  /** Replaces all workers; settles when none of the processes of before is there, and each worker has one that is up. */
  async replaceAll(): Promise<void> {
    const before = this.processes;
    this.program.signal("SIGUSR2");
    await eventually("all workers are replaced", async () => {
      const now = this.processes;
      if (now.length !== before.length || now.some(({ pid }) => before.some((old) => old.pid === pid)))
        return undefined;
      return [...(await this.samples("porchlight_worker_up")).values()].every((up) => up === 1);
    });
  }

  /** A sample of `/metrics`, by the label of each worker. */
  async samples(name: string): Promise<ReadonlyMap<string, number>> {
    const page = await (await fetch(`${this.url}/metrics`)).text();
    const found = page.matchAll(new RegExp(`^${name}\\{worker="(\\d+)"[^}]*\\} (\\S+)$`, "gm"));
    const sums = new Map<string, number>();
    for (const [, worker = "", value] of found) sums.set(worker, (sums.get(worker) ?? 0) + Number(value));
    return sums;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Whether a process is there. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Which worker a child of the supervisor is; undefined when it is none, or is not there any more. */
function workerOf(pid: string, supervisor: number): number | undefined {
  try {
    const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    if (Number(parent) !== supervisor) return undefined;
    const number = /(?:^|\0)PORCHLIGHT_WORKER_NUMBER=(\d+)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1];
    return number === undefined ? undefined : Number(number);
  } catch {
    return undefined;
  }
}
