/** The client of `control-socket.ts`: sends requests to the agent of a data folder, for commands that run beside it. */
import { createConnection } from "node:net";
import type { Clock } from "@porchlight/shared/kernel";
import { type AgentStatus, agentStatus } from "./status-schema.ts";
import { controlPath, readSecret, reply } from "./control-socket.ts";

const ANSWER_MS = 3000;

/**
 * The reason for a missing answer. `silent`: the agent runs and does not answer, as when it is stopped; `ended`: it ended or restarted
 * before it answered; `foreign`: an agent of another version answered.
 */
export type Silence = "not_running" | "silent" | "ended" | "foreign";

/** Error codes of the socket, and their meanings. */
const MEANINGS: Readonly<Record<string, Silence>> = {
  ENOENT: "not_running",
  ECONNREFUSED: "not_running",
  ECONNRESET: "ended",
  EPIPE: "ended",
};

export type Asked =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "refused"; readonly why: string; readonly exitStatus: number }
  | { readonly kind: Silence };

/** The result of a request for the status. */
export type StatusAnswer = { readonly kind: "running"; readonly status: AgentStatus } | { readonly kind: Silence };

/**
 * Sends one request.
 * @param withinMs how long the answer may take, ms
 * @throws SystemError when the socket exists and access is denied
 */
export function askAgent(
  dataDir: string,
  ask: { readonly ask: string; readonly about?: unknown },
  clock: Clock,
  withinMs = ANSWER_MS,
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(controlPath(dataDir));
    const timer = clock.timer("the agent's answer", withinMs, () => {
      socket.destroy();
      resolve({ kind: "silent" });
    });
    let text = "";
    socket.setEncoding("utf8");
    // Read only now: a restarted agent writes it before it listens.
    socket.once("connect", () => socket.write(`${JSON.stringify({ ...ask, secret: readSecret(dataDir) })}\n`));
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.once("error", (failure: NodeJS.ErrnoException) => {
      timer.cancel();
      const kind = MEANINGS[failure.code ?? ""];
      if (kind) resolve({ kind });
      else reject(failure);
    });
    socket.once("end", () => {
      timer.cancel();
      socket.end();
      resolve(text === "" ? { kind: "ended" } : read(text));
    });
  });
}

/** Requests the status. @throws SystemError when the socket exists and access is denied */
export async function readStatus(dataDir: string, clock: Clock): Promise<StatusAnswer> {
  const asked = await askAgent(dataDir, { ask: "status" }, clock);
  if (asked.kind === "refused") return { kind: "foreign" };
  if (asked.kind !== "answered") return asked;
  const { data } = agentStatus.safeParse(asked.answer);
  return data ? { kind: "running", status: data } : { kind: "foreign" };
}

function read(text: string): Asked {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return { kind: "foreign" };
  }
  const { data } = reply.safeParse(said);
  if (!data) return { kind: "foreign" };
  if ("refused" in data) return { kind: "refused", why: data.refused, exitStatus: data.exitStatus };
  return { kind: "answered", answer: data.answer };
}
