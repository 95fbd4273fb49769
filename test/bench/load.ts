/** Load from this process: so many requests in flight for so long, each worker on a connection of its own that it has opened before. */
import { Client } from "undici";

export interface LoadRequest {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** Whether the connection ends with its answer. */
  readonly reset?: boolean;
}

export interface LoadResult {
  /** Answers a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

export interface LoadOptions {
  readonly workers: number;
  readonly seconds: number;
  /** Answers a second of all workers together at most; as many as they can when left out. */
  readonly rate?: number;
  /** The request that a worker makes the n-th time. */
  readonly request: (worker: number, n: number) => LoadRequest;
}

/** @throws Error on any answer that is not 200: a benchmark of refusals measures nothing */
export async function load(origin: string, options: LoadOptions): Promise<LoadResult> {
  const latencies: number[] = [];
  const pause = options.rate ? (options.workers / options.rate) * 1000 : 0;
  const clients = Array.from({ length: options.workers }, () => new Client(origin));
  const once = async (client: Client, worker: number, n: number) => {
    const answer = await client.request(options.request(worker, n));
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  };
  // A server accepts one connection in an iteration of its event loop.
  await Promise.all(clients.map((client, worker) => once(client, worker, 0)));
  const start = performance.now();
  const end = start + options.seconds * 1000;

  const work = async (client: Client, worker: number) => {
    let next = performance.now() + Math.random() * pause;
    for (let n = 1; performance.now() < end; n++) {
      const wait = next - performance.now();
      if (pause > 0 && wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      const sent = performance.now();
      await once(client, worker, n);
      latencies.push(performance.now() - sent);
      next += pause;
    }
    await client.close();
  };
  await Promise.all(clients.map(work));
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return { rate: latencies.length / seconds, p50: at(0.5), p99: at(0.99), count: latencies.length };
}
