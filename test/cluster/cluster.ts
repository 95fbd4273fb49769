/**
 * Several nodes of the cloud, as an operator runs them: real processes over one PostgreSQL and one NATS, with one file of
 * keys, behind a load balancer. Every part can be killed or stopped, and every line between two of them broken.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FaultProxy } from "../parts/fault-proxy.ts";
import { LoadBalancer } from "../parts/load-balancer.ts";
import { type Nats, startNats } from "../parts/nats-server.ts";
import { type PostgresServer, startPostgres } from "../parts/postgres-server.ts";
import { ClusterNode } from "./node.ts";

export interface ClusterOptions {
  readonly nodes: number;
  /** Of the delays on its lines. */
  readonly seed?: number;
  /** Of every node, besides what makes a node of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether each node's wall clock can be set. */
  readonly ownClocks?: boolean;
  /** False: no NATS, and nodes that know of no other; for one node. */
  readonly nats?: boolean;
}

/** No limits on load, hooks to loopback, hubs with frequent heartbeats; leases of hub and node have their published lengths. */
const ENV = {
  PORCHLIGHT_RATE_LIMIT: "off",
  PORCHLIGHT_WEBHOOK_ALLOW: "127.0.0.0/8",
  PORCHLIGHT_PORTAL: "off",
  PORCHLIGHT_DRAIN_SPREAD_MS: "500",
};

export class Cluster implements AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly nats: Nats | undefined;
  readonly nodes: readonly ClusterNode[];
  /** Between the hubs and the balancer. */
  readonly hubLine: FaultProxy;
  readonly #balancer: LoadBalancer;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<Cluster, "postgres" | "nats" | "nodes" | "hubLine">,
    balancer: LoadBalancer,
    stack: AsyncDisposableStack,
  ) {
    this.postgres = parts.postgres;
    this.nats = parts.nats;
    this.nodes = parts.nodes;
    this.hubLine = parts.hubLine;
    this.#balancer = balancer;
    this.#stack = stack;
  }

  /** Starts everything; settles when every node listens. */
  static async start({
    nodes: count,
    seed = 1,
    env = {},
    ownClocks = false,
    nats: hasNats = true,
  }: ClusterOptions): Promise<Cluster> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "porchlight-cluster-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = stack.use(await startPostgres({ durable: "processes" }));
    const nats = hasNats ? stack.use(await startNats()) : undefined;
    const nodes: ClusterNode[] = [];
    for (let at = 0; at < count; at++) {
      const node = await ClusterNode.make({
        name: `node-${at}`,
        folder,
        secretFile: join(folder, "secret.key"),
        postgres: postgres.socket,
        nats: nats?.port,
        seed: seed * 1000 + at * 10,
        env: { ...ENV, ...env },
        hasOwnClock: ownClocks,
      });
      nodes.push(stack.use(node));
    }
    // The first makes the tables and the keys, which the others find.
    await nodes[0]?.start();
    await Promise.all(nodes.slice(1).map((node) => node.start()));
    const balancer = stack.use(await LoadBalancer.start(() => nodes.map(({ port }) => port)));
    const hubLine = stack.use(await FaultProxy.start(() => balancer.port, seed * 1000 + 999));
    return new Cluster({ postgres, nats, nodes, hubLine }, balancer, stack.move());
  }

  /** Where clients find the service. */
  get url(): string {
    return this.#balancer.url;
  }

  /** @throws Error when there are not so many */
  node(at: number): ClusterNode {
    const node = this.nodes[at];
    if (node === undefined) throw new Error(`there is no node ${at} among ${this.nodes.length}`);
    return node;
  }

  /** Every line carries everything again, and clocks are right. Processes stay as they are. */
  heal(): void {
    this.hubLine.heal();
    for (const { lines } of this.nodes) for (const line of Object.values(lines)) line.heal();
  }

  /** Its nodes' last output, for the message of a failing test. */
  get stderr(): string {
    return this.nodes.map(({ name, stderr }) => `--- ${name}\n${stderr.slice(-3000)}`).join("\n");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
