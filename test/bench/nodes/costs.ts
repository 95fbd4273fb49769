/** What something costs each part of a service of several nodes: processor time of the nodes, of PostgreSQL with all its processes, and of NATS; commits and write-ahead log. */
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { processorSeconds } from "../parts.ts";
import type { Service } from "./service.ts";

/** Since their start. Times in µs. */
export type Costs = Readonly<Record<Part, number>>;
type Part = "node" | "other node" | "PostgreSQL" | "NATS" | "commits" | "WAL bytes";

/** Ticks of processor time a second (Linux, USER_HZ). */
const TICKS = 100;

export class CostMeter implements AsyncDisposable {
  readonly #service: Service;
  readonly #client: pg.Client;
  /** The process of PostgreSQL that answers for this one: what it costs is not the service's. */
  readonly #own: number;
  readonly #server: number;

  private constructor(service: Service, client: pg.Client, own: number) {
    this.#service = service;
    this.#client = client;
    this.#own = own;
    this.#server = Number(statOf(own)?.[1]);
  }

  static async start(service: Service): Promise<CostMeter> {
    const client = new pg.Client({ connectionString: service.postgres.url });
    await client.connect();
    const own = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return new CostMeter(service, client, own.rows[0]?.pid ?? 0);
  }

  /** Of `work`, for each of the times that it says it has done something. @param idle what a second of nothing costs, to be left out */
  async each(work: () => Promise<number>, idle?: Costs): Promise<Costs> {
    const before = await this.#all();
    const start = performance.now();
    const count = await work();
    const seconds = (performance.now() - start) / 1000;
    const after = await this.#all();
    const of = (part: Part) => (after[part] - before[part] - (idle?.[part] ?? 0) * seconds) / count;
    return {
      node: of("node"),
      "other node": of("other node"),
      PostgreSQL: of("PostgreSQL"),
      NATS: of("NATS"),
      commits: of("commits"),
      "WAL bytes": of("WAL bytes"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  async #all(): Promise<Costs> {
    const { rows } = await this.#client.query<{ commits: string; wal: string }>(
      `select xact_commit as commits, pg_current_wal_insert_lsn() - '0/0'::pg_lsn as wal
       from pg_stat_database where datname = current_database()`,
    );
    const us = (pid: number) => processorSeconds(pid) * 1e6;
    return {
      node: us(this.#service.node(0).program.pid),
      "other node": us(this.#service.node(1).program.pid),
      PostgreSQL: this.#postgresMicroseconds(),
      NATS: us(this.#service.nats?.pid ?? process.pid),
      commits: Number(rows[0]?.commits),
      "WAL bytes": Number(rows[0]?.wal),
    };
  }

  /** The server's own time, that of its children, and that of those that have ended. */
  #postgresMicroseconds(): number {
    let ticks = 0;
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      if (Number.isNaN(pid) || pid === this.#own) continue;
      const stat = statOf(pid);
      if (pid === this.#server) ticks += sum(stat?.slice(11, 15));
      else if (Number(stat?.[1]) === this.#server) ticks += sum(stat?.slice(11, 13));
    }
    return (ticks / TICKS) * 1e6;
  }
}

/** What stands behind the name of a process; undefined when it has gone. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ");
  } catch {
    return undefined;
  }
}

function sum(fields: readonly string[] = []): number {
  return fields.reduce((all, field) => all + Number(field), 0);
}
