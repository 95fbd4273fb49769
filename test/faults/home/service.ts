/** The service of a run: one node on SQLite, or several over PostgreSQL and NATS, whose processes are parts alike. */
import { join } from "node:path";
import { Cluster } from "../../cluster/cluster.ts";
import { FaultProxy } from "../../parts/fault-proxy.ts";
import { freePort } from "../../parts/free-port.ts";
import { Program } from "../../parts/program.ts";
import { type Part, ProgramPart } from "./part.ts";

export interface Service extends AsyncDisposable {
  /** Where clients may ask; the first is for everything that is not part of the load. */
  readonly urls: readonly [string, ...string[]];
  /** Between the hub and the service. */
  readonly line: FaultProxy;
  readonly parts: readonly Part[];
  /** Ends every fault of its lines. */
  heal(): void;
  readonly stderr: string;
}

const ENV = { PORCHLIGHT_RATE_LIMIT: "off", PORCHLIGHT_PORTAL: "off" };

/** @param folder where one node keeps its data */
export async function startService(nodes: number, folder: string, seed: number): Promise<Service> {
  return nodes === 1 ? startOne(folder, seed) : startSeveral(nodes, seed);
}

async function startOne(folder: string, seed: number): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const args = ["serve", "--port", String(port), "--data", join(folder, "cloud")];
  const part = stack.use(
    new ProgramPart("cloud", "service", async () => {
      const program = new Program("cloud", "cloud/src/main.ts", args, ENV);
      await program.line((line) => (line.startsWith("listening on ") ? true : undefined));
      return program;
    }),
  );
  await part.start();
  const line = stack.use(await FaultProxy.start(() => port, seed));
  const owned = stack.move();
  return {
    urls: [`http://127.0.0.1:${port}`],
    line,
    parts: [part],
    heal: () => line.heal(),
    get stderr() {
      return part.stderr;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startSeveral(nodes: number, seed: number): Promise<Service> {
  const cluster = await Cluster.start({ nodes, seed });
  const { postgres, nats } = cluster;
  const servers = [{ name: "PostgreSQL", server: postgres }, ...(nats ? [{ name: "NATS", server: nats }] : [])];
  return {
    urls: [cluster.url, ...cluster.nodes.map(({ url }) => url)],
    line: cluster.hubLine,
    parts: [
      ...cluster.nodes.map((node) => ({
        name: node.name,
        kind: "service" as const,
        kill: () => node.sigkill(),
        start: () => node.start(),
        stop: () => node.sigstop(),
        cont: () => node.sigcont(),
      })),
      ...servers.map(({ name, server }) => ({
        name,
        kind: "server" as const,
        kill: () => server.kill(),
        start: () => server.restart(),
        stop: () => server.stop(),
        cont: () => server.cont(),
      })),
    ],
    heal: () => cluster.heal(),
    get stderr() {
      return cluster.stderr;
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}
