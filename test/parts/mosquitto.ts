/** An MQTT broker (Mosquitto) of a test's own, on a free port of loopback, which it may kill, stop, and start again where it was. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "@porchlight/cloud/http/tls.fixture.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { KeptServer } from "./kept-server.ts";

export interface MosquittoOptions {
  /** Passwords by user. Without, any client may connect. */
  readonly users?: Readonly<Record<string, string>>;
  /** Lines of an ACL file (`user NAME`, `topic [read|write|readwrite|deny] FILTER`). Without, every client may do everything. */
  readonly acl?: readonly string[];
  /** Whether it speaks TLS, and nothing else; its certificate is for 127.0.0.1 and signs itself. */
  readonly tls?: boolean;
  /**
   * Whether it can {@link Mosquitto.save} retained messages and sessions, and has them again after a restart; or also writes them by
   * itself, after each change.
   */
  readonly persistent?: boolean | "at each change";
}

export interface Mosquitto extends AsyncDisposable {
  /** `mqtt://127.0.0.1:PORT`, or `mqtts:` where it speaks TLS. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** File with the certificate (PEM) that clients must trust; only where it speaks TLS. */
  readonly ca?: string | undefined;
  /** SIGKILL: unsaved state is lost, retained messages too. */
  kill(): Promise<void>;
  /** Settles when all that it has acknowledged so far is in its file. Only where it is persistent. */
  save(): Promise<void>;
  /** SIGSTOP, and its waking. */
  stop(): void;
  cont(): void;
  /** Starts it again on its port, after {@link kill}. */
  restart(): Promise<void>;
}

const PROGRAM = "mosquitto";
const PASSWORDS_PROGRAM = "mosquitto_passwd";
const DATABASE = "mosquitto.db";

/** @throws Error when there is no Mosquitto, or it does not start; its output is in the message */
export async function startMosquitto(options: MosquittoOptions = {}): Promise<Mosquitto> {
  if (spawnSync(PROGRAM, ["-h"], { env: searchPath() }).error)
    throw new Error("there is no mosquitto: apt-get install mosquitto");
  const folder = mkdtempSync(join(tmpdir(), "porchlight-mosquitto-"));
  const port = await freePort();
  try {
    writeFiles(folder, port, options);
  } catch (failure) {
    rmSync(folder, { recursive: true, force: true });
    throw failure;
  }
  const server = await KeptServer.start({
    name: "Mosquitto",
    folder,
    command: [PROGRAM, "-c", join(folder, "mosquitto.conf")],
    ready: " running",
    quickEnd: "TERM",
    env: searchPath(),
  });
  return {
    url: `${options.tls ? "mqtts" : "mqtt"}://127.0.0.1:${port}`,
    port,
    ca: options.tls ? join(folder, "cert.pem") : undefined,
    get pid() {
      return server.pid;
    },
    kill: () => server.kill(),
    save: () => save(server.pid, join(folder, DATABASE)),
    stop: () => server.stop(),
    cont: () => server.cont(),
    restart: () => server.restart(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function writeFiles(folder: string, port: number, { users, acl, tls, persistent }: MosquittoOptions): void {
  const file = (name: string) => join(folder, name);
  const lines = [
    // Of itself it becomes another user, who may not read this folder.
    "user root",
    `listener ${port} 127.0.0.1`,
    `pid_file ${file("pid")}`,
    "log_dest stderr",
    "log_type error",
    "log_type warning",
    "log_type notice",
    "log_type information",
    "set_tcp_nodelay true",
    `allow_anonymous ${users === undefined}`,
  ];
  if (users) {
    writePasswords(file("passwords"), users);
    lines.push(`password_file ${file("passwords")}`);
  }
  if (acl) {
    writeFileSync(file("acl"), `${acl.join("\n")}\n`, { mode: 0o600 });
    lines.push(`acl_file ${file("acl")}`);
  }
  if (tls) {
    const { cert, key } = selfSigned(1);
    writeFileSync(file("cert.pem"), cert);
    writeFileSync(file("key.pem"), key, { mode: 0o600 });
    lines.push(`certfile ${file("cert.pem")}`, `keyfile ${file("key.pem")}`);
  }
  if (persistent) lines.push("persistence true", `persistence_location ${folder}/`);
  // The client that the project has sends more at once than Mosquitto takes of itself, and is refused.
  if (persistent === "at each change")
    lines.push("autosave_on_changes true", "autosave_interval 1", "max_inflight_messages 0");
  // Never by itself: a test must know the content of the file.
  else if (persistent) lines.push("autosave_interval 0");
  writeFileSync(file("mosquitto.conf"), `${lines.join("\n")}\n`);
}

/** @throws Error when mosquitto_passwd cannot be run */
function writePasswords(path: string, users: Readonly<Record<string, string>>): void {
  const text = Object.entries(users).map(([name, password]) => `${name}:${password}\n`);
  writeFileSync(path, text.join(""), { mode: 0o600 });
  // Turns each password of the file into its hash.
  const { status, stderr, error } = spawnSync(PASSWORDS_PROGRAM, ["-U", path], {
    env: searchPath(),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${PASSWORDS_PROGRAM} failed: ${error?.message ?? stderr}`);
}

/** Has it write its file, which it does beside and renames. */
async function save(pid: number, path: string): Promise<void> {
  const inode = () => statSync(path, { throwIfNoEntry: false })?.ino;
  // Held open, so that the next file cannot have its number.
  const held = existsSync(path) ? openSync(path, "r") : undefined;
  try {
    const before = inode();
    process.kill(pid, "SIGUSR1");
    await eventually("Mosquitto has saved", async () => inode() !== before);
  } finally {
    if (held !== undefined) closeSync(held);
  }
}

/** Debian keeps servers where the path of an ordinary user does not lead. */
function searchPath(): Readonly<Record<string, string>> {
  return { PATH: `${process.env.PATH ?? ""}:/usr/sbin` };
}
