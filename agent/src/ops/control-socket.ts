/**
 * The control socket, by which other processes on the hub send requests to the agent of a data folder: a Unix socket in the folder, one
 * request and one answer per connection, served by the agent and asked by commands that run beside it, each a line of JSON. A socket and
 * not a file, because a file would still state "online" after the agent has died.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { join, relative } from "node:path";
import { type Clock, type Log, systemRandom } from "@porchlight/shared/kernel";
import { z } from "zod";
import { writePrivateFile } from "../config/index.ts";
import { type AgentStatus, agentStatus } from "./status-schema.ts";

/** The handlers by the name of the request. The result is sent as JSON; {@link AskRefused} is sent with its reason. */
export type Answers = Readonly<Record<string, (about: unknown) => unknown>>;

/** The request is refused; the message has the reason, and the status is the exit status of the command. */
export class AskRefused extends Error {
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

const question = z.object({
  ask: z.string().max(64),
  about: z.unknown().optional(),
  secret: z.string().max(256).optional(),
});
const reply = z.union([
  z.object({ answer: z.unknown() }),
  z.object({ refused: z.string(), exitStatus: z.int().min(1).max(255) }),
]);

const LONGEST_QUESTION = 64 * 1024;
const FAILED = 1;
const NOT_ALLOWED = 4;

export class ControlSocket implements AsyncDisposable {
  readonly #server: Server;
  readonly #clients: ReadonlySet<Socket>;

  private constructor(server: Server, clients: ReadonlySet<Socket>) {
    this.#server = server;
    this.#clients = clients;
  }

  /**
   * Answers every process that can open the socket, as the agent's user, and presents the secret of this start: a driver in a child runs as
   * that user too. The caller holds the data folder's lock, so an existing socket belongs to a dead agent. Without a socket (its path may
   * be too long) the agent works all the same, and logs the failure.
   */
  static async start(dataDir: string, answers: Answers, log: Log): Promise<ControlSocket> {
    const path = controlPath(dataDir);
    const clients = new Set<Socket>();
    const secret = newSecret(dataDir);
    const server = createServer({ allowHalfOpen: true }, (client) => {
      clients.add(client);
      client.once("close", () => clients.delete(client));
      client.on("error", (failure) => log.debug({ failure: String(failure) }, "who asked the agent went away"));
      void serve(client, answers, secret, log);
    });
    rmSync(path, { force: true });
    await new Promise<void>((resolve) => {
      server.once("error", (failure) => {
        log.warn({ path, failure: String(failure) }, "`porchlight-agent status` cannot reach this agent");
        resolve();
      });
      server.listen(path, () => {
        chmodSync(path, 0o600);
        if (secret === undefined)
          log.warn({ path }, "the secret of this agent could not be written: it answers no command");
        resolve();
      });
    });
    return new ControlSocket(server, clients);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Pending answers are still written.
    for (const client of this.#clients) client.destroySoon();
    await closed;
  }
}

async function serve(client: Socket, answers: Answers, secret: string | undefined, log: Log): Promise<void> {
  const line = await firstLine(client);
  if (line === undefined) return void client.destroy();
  client.end(`${JSON.stringify(await answer(line, answers, secret, log))}\n`);
}

async function answer(
  line: string,
  answers: Answers,
  secret: string | undefined,
  log: Log,
): Promise<z.input<typeof reply>> {
  const { data } = question.safeParse(parsed(line));
  if (data && !isSecret(data.secret, secret)) {
    log.warn({ ask: data.ask }, "a request without the secret of this agent was refused");
    return {
      refused: "the request has not the secret of this agent: ask as root, or as the agent's user",
      exitStatus: NOT_ALLOWED,
    };
  }
  const work = data && Object.hasOwn(answers, data.ask) ? answers[data.ask] : undefined;
  if (!data || !work)
    return { refused: "the agent does not know this request: does it have a different version?", exitStatus: FAILED };
  try {
    return { answer: (await work(data.about)) ?? null };
  } catch (failure) {
    if (failure instanceof AskRefused) return { refused: failure.message, exitStatus: failure.exitStatus };
    log.error({ ask: data.ask, failure: String(failure) }, "a request of a command on this hub failed");
    return { refused: failure instanceof Error ? failure.message : String(failure), exitStatus: FAILED };
  }
}

/** The first line received; undefined when it does not end, or is too long. */
function firstLine(client: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    client.setEncoding("utf8");
    client.on("data", (chunk: string) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > LONGEST_QUESTION) resolve(undefined);
    });
    client.once("end", () => resolve(undefined));
    client.once("close", () => resolve(undefined));
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The path of the socket of a data folder: the shorter of its two forms, because the system limits it to about a hundred characters. */
function controlPath(dataDir: string): string {
  const path = join(dataDir, "agent.sock");
  const near = relative(process.cwd(), path);
  return near.length < path.length ? near : path;
}

/**
 * The file with the secret that a command must present to the agent of a data folder: a text that is new at each start, readable by the
 * agent's user and root. A driver in a child runs as the agent's user, but can read no file of the folder (ADR 31).
 */
const FILE = "control.secret";
const BYTES = 32;

/** Writes a new secret. On a full disk the last one stays valid; undefined when there is none: then no request is answered. */
function newSecret(dataDir: string): string | undefined {
  const secret = Buffer.from(systemRandom.bytes(BYTES)).toString("base64url");
  try {
    writePrivateFile(join(dataDir, FILE), secret);
    return secret;
  } catch {
    return readSecret(dataDir);
  }
}

/** Undefined when the file does not exist, or belongs to another user. */
function readSecret(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), "utf8") || undefined;
  } catch {
    return undefined;
  }
}

/** Compares in a time that does not depend on how much of the secret is right. */
function isSecret(given: string | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined) return false;
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

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

type Asked =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "refused"; readonly why: string; readonly exitStatus: number }
  | { readonly kind: Silence };

/** The result of a request for the status. */
type StatusAnswer = { readonly kind: "running"; readonly status: AgentStatus } | { readonly kind: Silence };

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
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { kind: "foreign" };
  }
  const { data } = reply.safeParse(parsed);
  if (!data) return { kind: "foreign" };
  if ("refused" in data) return { kind: "refused", why: data.refused, exitStatus: data.exitStatus };
  return { kind: "answered", answer: data.answer };
}
