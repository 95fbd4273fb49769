/** A NATS server of a test's own, on a free port of loopback, which it may kill, stop, and start again where it was. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { KeptServer } from "./kept-server.ts";

export interface Nats extends AsyncDisposable {
  /** `nats://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP, and its waking. */
  stop(): void;
  cont(): void;
  /** Starts it again on its port, after {@link kill}. It remembers nothing. */
  restart(): Promise<void>;
}

const PROGRAM = "nats-server";

/** @throws Error when there is no NATS server, or it does not start; its output is in the message */
export async function startNats(): Promise<Nats> {
  if (spawnSync(PROGRAM, ["--version"], { env: pathWithSbin() }).error)
    throw new Error("there is no nats-server: apt-get install nats-server");
  const folder = mkdtempSync(join(tmpdir(), "porchlight-nats-"));
  const port = await freePort();
  const server = await KeptServer.start({
    name: "NATS",
    folder,
    command: [PROGRAM, "-a", "127.0.0.1", "-p", String(port), "-P", join(folder, "pid")],
    ready: "Server is ready",
    quickEnd: "TERM",
    env: pathWithSbin(),
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    stop: () => server.stop(),
    cont: () => server.cont(),
    restart: () => server.restart(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Debian keeps servers where the path of an ordinary user does not lead. */
function pathWithSbin(): Readonly<Record<string, string>> {
  return { PATH: `${process.env.PATH ?? ""}:/usr/sbin` };
}
