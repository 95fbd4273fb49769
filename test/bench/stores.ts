/** The two stores that a cloud can stand on, for benchmarks of what a store can make slow. */
import { startPostgres } from "../parts/postgres-server.ts";

export interface BenchStore extends AsyncDisposable {
  readonly name: "SQLite" | "PostgreSQL";
  /** What the cloud is told; undefined: SQLite in its own folder. */
  readonly database: string | undefined;
}

/** Each of them, started when its turn comes. */
export const STORES: readonly (() => Promise<BenchStore>)[] = [
  async () => ({ name: "SQLite", database: undefined, [Symbol.asyncDispose]: async () => undefined }),
  async () => {
    const server = await startPostgres({ durable: true });
    return { name: "PostgreSQL", database: server.url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  },
];
