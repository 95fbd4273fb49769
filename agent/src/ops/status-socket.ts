/**
 * How a running agent is asked for its status: a Unix socket in its data folder. A socket and no file, because a file goes
 * on saying "online" after the agent has died.
 */
import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { join, relative } from "node:path";
import type { Clock, Log } from "@porchlight/shared/kernel";
import { type AgentStatus, agentStatus } from "./status-schema.ts";

const ANSWER_MS = 3000;

/** What asking led to. `silent`: it runs and does not answer, as when it is stopped; `foreign`: another version's words. */
export type StatusAnswer =
  | { readonly kind: "running"; readonly status: AgentStatus }
  | { readonly kind: "not_running" }
  | { readonly kind: "silent" }
  | { readonly kind: "foreign" };

export class StatusSocket implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Answers everybody who connects. The caller holds the data folder alone, so a socket that is there is a dead agent's.
   * Without a socket (its path may be too long) the agent does its work all the same, and says so.
   */
  static async start(dataDir: string, status: () => AgentStatus, log: Log): Promise<StatusSocket> {
    const path = socketPath(dataDir);
    const server = createServer((client) => {
      client.on("error", (failure) => log.debug({ failure: String(failure) }, "a reader of the status went away"));
      client.end(JSON.stringify(status()));
    });
    rmSync(path, { force: true });
    await new Promise<void>((resolve) => {
      server.once("error", (failure) => {
        log.warn({ path, failure: String(failure) }, "`porchlight-agent status` cannot reach this agent");
        resolve();
      });
      server.listen(path, () => {
        chmodSync(path, 0o600);
        resolve();
      });
    });
    return new StatusSocket(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Asks the agent of a data folder. @throws SystemError when the socket is there and may not be used */
export function readStatus(dataDir: string, clock: Clock): Promise<StatusAnswer> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath(dataDir));
    const timer = clock.timer("status answer", ANSWER_MS, () => {
      socket.destroy();
      resolve({ kind: "silent" });
    });
    let text = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.once("error", (failure: NodeJS.ErrnoException) => {
      timer.cancel();
      if (failure.code === "ENOENT" || failure.code === "ECONNREFUSED") resolve({ kind: "not_running" });
      else reject(failure);
    });
    socket.once("end", () => {
      timer.cancel();
      resolve(parse(text));
    });
  });
}

function parse(text: string): StatusAnswer {
  try {
    const { data } = agentStatus.safeParse(JSON.parse(text));
    return data ? { kind: "running", status: data } : { kind: "foreign" };
  } catch {
    return { kind: "foreign" };
  }
}

/** The shorter of its two names: the operating system takes about a hundred characters. */
function socketPath(dataDir: string): string {
  const path = join(dataDir, "agent.sock");
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}
