/** The frame of all benchmarks: load from this process, rounds, and rows of the table with the bare limit of the same run. */
import { Client } from "undici";
import { startPostgres } from "../test/parts/postgres-server.ts";

/** The middle one of an odd count, the upper of the two middle ones of an even count. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median of the ratios of pairs, so that a machine that slows down between rounds has no effect. */
export function ratio(pairs: readonly (readonly [number, number])[]): number {
  return median(pairs.map(([measured, limit]) => measured / limit));
}

export interface Row {
  readonly measured: number;
  /** The bare limit, from the same run. */
  readonly limit: number;
  readonly ratio: number;
  readonly goal: string;
  readonly [further: string]: number | string;
}

/** Prints a row of the table, as one line of JSON. */
export function print(what: string, row: Row): void {
  const rounded = Object.entries(row).map(([name, value]) => [name, typeof value === "number" ? round(value) : value]);
  process.stdout.write(`${JSON.stringify({ what, ...Object.fromEntries(rounded) })}\n`);
}

/** Three significant figures, and whole numbers above a thousand. */
function round(value: number): number {
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

export interface LoadRequest {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A PUT of a hue that differs from that before it. @param worker one of those that take turns @param n how many it sent before */
export function putOfHue(device: string, headers: Record<string, string>, worker: number, n: number): LoadRequest {
  const body = JSON.stringify({ value: ((worker * 7 + n) % 3600) / 10 });
  return { method: "PUT", path: `/api/devices/${device}/services/LightColor.hue`, headers, body };
}

export interface LoadResult {
  /** Answers a second. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
}

export interface LoadOptions {
  /** Requests in flight, each on a connection of its own. */
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
  return { rate: latencies.length / seconds, count: latencies.length, ...percentiles(latencies) };
}

/** Sorts the latencies. */
export function percentiles(latencies: number[]): { readonly p50: number; readonly p99: number } {
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

/** The results of each way in one round. */
export type Round<W, M> = ReadonlyMap<W, M>;

/** Measures each way in turn and for a short while, so that a machine that slows down between rounds has no effect. */
export async function inTurn<W, M>(count: number, ways: readonly W[], measure: (way: W) => Promise<M>) {
  const rounds: Map<W, M>[] = [];
  for (let round = 0; round < count; round++) {
    const measured = new Map<W, M>();
    for (const way of ways) measured.set(way, await measure(way));
    rounds.push(measured);
  }
  return rounds as readonly Round<W, M>[];
}

/** The results of one way, round by round. */
export function of<W, M>(rounds: readonly Round<W, M>[], way: W): M[] {
  return rounds.flatMap((round) => (round.has(way) ? [round.get(way) as M] : []));
}

/** A figure of one way beside that of another in the same round. */
export function pairs<W, M>(rounds: readonly Round<W, M>[], way: W, other: W, read: (measured: M) => number) {
  const others = of(rounds, other);
  return of(rounds, way).map((own, at): [number, number] => [read(own), read(others[at] ?? own)]);
}

export interface BenchStore extends AsyncDisposable {
  readonly name: "SQLite" | "PostgreSQL";
  /** For the cloud's setting `database`; undefined is SQLite in its own folder. */
  readonly database: string | undefined;
}

/** The two stores of a cloud, each started when its turn comes. */
export const STORES: readonly (() => Promise<BenchStore>)[] = [
  async () => ({ name: "SQLite", database: undefined, [Symbol.asyncDispose]: async () => undefined }),
  async () => {
    const server = await startPostgres({ durable: true });
    return { name: "PostgreSQL", database: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  },
];
