/** What the clients of a run share: the cluster, the home, the history that they write, and how each asks a node of its choice. */
import { type Clock, pick, type Random, sleep } from "@porchlight/shared/kernel";
import { Agent, request } from "undici";
import type { Cluster } from "../cluster.ts";
import type { ClusterHome, HomeDevice } from "../cluster-home.ts";
import type { History } from "../history/history.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: a client knows what it asked for
  readonly body: any;
}

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
  /** A connection for each request, so that the balancer sends each to another node. */
  readonly #agent = new Agent({ pipelining: 0, connections: null, connect: { timeout: PATIENCE_MS } });
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

  /** Whether clients are to begin nothing more. */
  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** Aborted when clients are to begin nothing more. */
  get over(): AbortSignal {
    return this.#end.signal;
  }

  end(): void {
    this.#end.abort(new Error("the run is over"));
  }

  /** A value that nobody has asked for or reported yet, and that every property takes. */
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

  /** Waits so long, also when the run is over: for whoever goes on until everything has calmed down. */
  clockPause(ms: number): Promise<void> {
    return sleep(this.clock, "client", ms);
  }

  /** Asks; undefined when nobody has answered: the connection broke, could not be made, or the client went away. */
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
    const { body, headers = {}, token = this.home.token, waitMs = DEFAULT_WAIT_MS } = options;
    try {
      const answer = await request(`${where.url}${path}`, {
        method,
        dispatcher: this.#agent,
        signal: AbortSignal.timeout(waitMs + PATIENCE_MS),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) };
    } catch {
      // Whatever broke, the client knows no more than that it was not answered.
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end();
    await this.#agent.destroy();
  }
}
