/** What the clients of a run share: the cluster, the home, the history that they write, and how each asks a node of its choice. */
import { type Clock, pick, type Random, sleep } from "@porchlight/shared/kernel";
import { HttpClient, type Reply } from "../../parts/http-client.ts";
import type { Cluster } from "../cluster.ts";
import type { ClusterHome, HomeDevice } from "../cluster-home.ts";
import type { History } from "../history/history.ts";

export interface Where {
  /** `balancer`, or a node's name. */
  readonly node: string;
  readonly url: string;
}

export interface LoadDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly cluster: Cluster;
  readonly home: ClusterHome;
  readonly history: History;
  /** How many times longer than they would clients rest between two requests. */
  readonly rest?: number | undefined;
}

/** How much longer than it has asked the service to wait a client waits, ms. */
const PATIENCE_MS = 5000;
const DEFAULT_WAIT_MS = 10_000;

export class Load implements AsyncDisposable {
  readonly clock: Clock;
  readonly random: Random;
  readonly cluster: Cluster;
  readonly home: ClusterHome;
  readonly history: History;
  readonly #rest: number;
  readonly #devices: ReadonlyMap<string, HomeDevice>;
  readonly #client = new HttpClient(PATIENCE_MS);
  readonly #end = new AbortController();
  #values = 0;

  constructor(deps: LoadDeps) {
    this.clock = deps.clock;
    this.random = deps.random;
    this.cluster = deps.cluster;
    this.home = deps.home;
    this.history = deps.history;
    this.#rest = deps.rest ?? 1;
    this.#devices = new Map(deps.home.devices.map((device) => [device.id, device]));
  }

  /** Whether clients must begin nothing more. */
  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** Aborted when clients must begin nothing more. */
  get over(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort(new Error("the run is over"));
  }

  /** A value that no client has asked for or reported yet, and that every property takes. */
  value(): number {
    this.#values += 1;
    return this.#values / 1000;
  }

  /** The edgeId of a device of the home. */
  edgeId(deviceId: string): string | undefined {
    return this.#devices.get(deviceId)?.edgeId;
  }

  /** Half of all requests go through the balancer, the others to some node. */
  where(): Where {
    const { nodes, url } = this.cluster;
    const [first, ...others] = nodes;
    if (first === undefined || this.random.fraction() < 0.5) return { node: "balancer", url };
    const { name: node, url: direct } = pick(this.random, [first, ...others]);
    return { node, url: direct };
  }

  /** Rests between `least` and `most` ms, as the run has it; less when the run is over. */
  async pause(least: number, most: number): Promise<void> {
    const ms = (least + this.random.fraction() * (most - least)) * this.#rest;
    await sleep(this.clock, "client", ms, this.over).catch(() => undefined);
  }

  /** Waits so long, also when the run is over: for clients that go on until everything has calmed down. */
  clockPause(ms: number): Promise<void> {
    return sleep(this.clock, "client", ms);
  }

  /** Asks; undefined without an answer: the connection broke, could not be made, or the client went away. */
  async ask(
    where: Where,
    method: "GET" | "PUT" | "POST" | "DELETE",
    path: string,
    options: {
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly token?: string;
      readonly waitMs?: number;
    } = {},
  ): Promise<Reply | undefined> {
    const { body, headers, token = this.home.token, waitMs = DEFAULT_WAIT_MS } = options;
    return this.#client.ask(`${where.url}${path}`, { method, token, body, headers, patienceMs: waitMs + PATIENCE_MS });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#client[Symbol.asyncDispose]();
  }
}
