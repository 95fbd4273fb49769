/**
 * A service of several nodes as it stands in earnest: real processes over one PostgreSQL and one NATS behind a balancer, with
 * nothing between them. Nodes come and go while it runs.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "../../parts/api.ts";
import { eventually } from "../../parts/eventually.ts";
import { LoadBalancer } from "../../parts/load-balancer.ts";
import { type Nats, startNats } from "../../parts/nats-server.ts";
import { type PostgresServer, startPostgres } from "../../parts/postgres-server.ts";
import { Program } from "../../parts/program.ts";
import { INSPECTED } from "../profile/session.ts";

export interface ServiceNode {
  readonly program: Program;
  readonly url: string;
  readonly port: number;
}

export interface ServiceOptions {
  readonly nodes: number;
  /** False: one node that knows of no other. */
  readonly nats?: boolean;
  /** Of every node. */
  readonly env?: Readonly<Record<string, string>>;
}

const ENV = { PORCHLIGHT_RATE_LIMIT: "off", PORCHLIGHT_PORTAL: "off", PORCHLIGHT_LOG_LEVEL: "warn", ...INSPECTED };

export class Service implements AsyncDisposable {
  readonly folder: string;
  readonly postgres: PostgresServer;
  readonly nats: Nats | undefined;
  readonly #env: Readonly<Record<string, string>>;
  readonly #stack: AsyncDisposableStack;
  #nodes: readonly ServiceNode[] = [];
  #balancer: LoadBalancer | undefined;

  private constructor(
    { folder, postgres, nats }: Pick<Service, "folder" | "postgres" | "nats">,
    env: Readonly<Record<string, string>>,
    stack: AsyncDisposableStack,
  ) {
    this.folder = folder;
    this.postgres = postgres;
    this.nats = nats;
    this.#env = env;
    this.#stack = stack;
  }

  /** Settles when every node listens. What PostgreSQL has committed is on the disk. */
  static async start({ nodes, nats: hasNats = true, env = {} }: ServiceOptions): Promise<Service> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = stack.use(await startPostgres({ durable: true }));
    const nats = hasNats ? stack.use(await startNats()) : undefined;
    const service = new Service({ folder, postgres, nats }, { ...ENV, ...env }, stack.move());
    for (let at = 0; at < nodes; at++) await service.add();
    service.#balancer = service.#stack.use(await LoadBalancer.start(() => service.nodes.map(({ port }) => port)));
    return service;
  }

  /** Those that the balancer knows, the oldest first. */
  get nodes(): readonly ServiceNode[] {
    return this.#nodes;
  }

  /** @throws Error when there are not so many */
  node(at: number): ServiceNode {
    const node = this.#nodes[at];
    if (node === undefined) throw new Error(`there is no node ${at} among ${this.#nodes.length}`);
    return node;
  }

  /** Where clients and hubs find it. */
  get url(): string {
    return this.#balancer?.url ?? this.node(0).url;
  }

  /** Starts one more; settles when it listens and is ready. @param port any free one when left out */
  async add(port = 0): Promise<ServiceNode> {
    const options = {
      port: String(port),
      data: this.folder,
      database: this.postgres.url,
      ...(this.nats && { nats: this.nats.url }),
    };
    const args = Object.entries(options).flatMap(([flag, value]) => [`--${flag}`, value]);
    const program = this.#stack.use(new Program("node", "cloud/src/main.ts", ["serve", ...args], this.#env));
    const url = await program.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
    const api = new Api(url);
    await eventually("the node is ready", async () =>
      (await api.call("GET", "/readyz")).status === 200 ? true : undefined,
    );
    const node = { program, url, port: Number(new URL(url).port) };
    this.#nodes = [...this.#nodes, node];
    return node;
  }

  /** SIGTERM, and settles when it has ended; the balancer tries it until then, as it would. */
  async stop(node: ServiceNode): Promise<void> {
    await node.program.stop();
    this.#forget(node);
  }

  /** SIGKILL to everything: nodes, NATS, PostgreSQL. */
  async killAll(): Promise<void> {
    await Promise.all(this.#nodes.map(({ program }) => program.kill()));
    await Promise.all([this.nats?.kill(), this.postgres.kill()]);
  }

  /** Starts everything again where it was, after {@link killAll}; settles when every node listens and is ready. */
  async startAll(): Promise<void> {
    const ports = this.#nodes.map(({ port }) => port);
    this.#nodes = [];
    await Promise.all([this.nats?.restart(), this.postgres.restart()]);
    await Promise.all(ports.map((port) => this.add(port)));
  }

  /** SIGKILL. The balancer finds out by itself. */
  async kill(node: ServiceNode): Promise<void> {
    await node.program.kill();
    this.#forget(node);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }

  #forget(node: ServiceNode): void {
    this.#nodes = this.#nodes.filter((other) => other !== node);
  }
}
