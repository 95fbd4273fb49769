/** A Redis server of a test's own, on a free port of loopback, as durable as it is wanted, which it may kill and start again where it was. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { KeptServer } from "./kept-server.ts";

export interface Redis extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on its folder and port, after {@link kill}. */
  restart(): Promise<void>;
}

export interface RedisOptions {
  /** Whether a command is on the disk before it is answered (`appendfsync always`); without it, nothing is ever written. */
  readonly durable: boolean;
}

const PROGRAM = "redis-server";
const DURABILITY = {
  true: ["--appendonly", "yes", "--appendfsync", "always"],
  false: ["--appendonly", "no"],
} as const;

/** @throws Error when there is no Redis, or it does not start; its output is in the message */
export async function startRedis({ durable }: RedisOptions): Promise<Redis> {
  if (spawnSync(PROGRAM, ["--version"]).error) throw new Error(`there is no ${PROGRAM}: apt-get install ${PROGRAM}`);
  const folder = mkdtempSync(join(tmpdir(), "porchlight-redis-"));
  const port = await freePort();
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--pidfile", join(folder, "pid")];
  const server = await KeptServer.start({
    name: "Redis",
    folder,
    // Without the snapshots that it makes by itself from time to time.
    command: [PROGRAM, ...options, "--save", "", ...DURABILITY[`${durable}`]],
    ready: "Ready to accept connections",
    quickEnd: "TERM",
    env: { PATH: process.env.PATH ?? "" },
  });
  return {
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    restart: () => server.restart(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
