/**
 * A third-party server (PostgreSQL, NATS) in a temporary folder: started, killed, stopped, started again. Its own file
 * because both are kept alike: it lives no longer than the process that started it, however that one ends, and a verb
 * meant for it reaches every process of its family.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ENDED = "the server has ended";

/**
 * Starts the server now and at each line on stdin, and ends it when stdin ends, which it also does when the test process is
 * killed. The folder goes with it. Arguments: folder, the signal of a quick orderly end, the command line of the server.
 */
const KEEPER = `
folder=$1; quick=$2; shift 2
server() { "$@" & echo "server $!"; wait $!; echo "${ENDED}"; }
server "$@" >&2 &
while read -r _; do server "$@" >&2 & done
for pid in $(cat "$folder/pid" 2> /dev/null); do kill -CONT "$pid"; kill "-$quick" "$pid"; done 2> /dev/null
wait
rm -rf "$folder"
`;

export interface KeptServerOptions {
  readonly name: string;
  /** Of its own; deleted at the end. Where it writes its process's ID, the first word of a line. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Part of the line on stderr that announces that it serves. */
  readonly ready: string;
  /** What ends it at once and in order: INT of PostgreSQL, TERM of NATS. */
  readonly quickEnd: "INT" | "TERM";
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export class KeptServer implements AsyncDisposable {
  readonly #options: KeptServerOptions;
  readonly #keeper: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #listeners = new Set<(line: string) => void>();
  #pid = 0;
  #stopped: readonly number[] = [];

  private constructor(options: KeptServerOptions) {
    this.#options = options;
    const { folder, command, user, env, quickEnd } = options;
    // A group of its own: Ctrl-C on the tests ends them first, and the server after them.
    this.#keeper = spawn("sh", ["-c", KEEPER, "sh", folder, quickEnd, ...command], {
      ...user,
      cwd: folder,
      env,
      detached: true,
    });
    this.#keeper.stdout.resume();
    this.#ended = new Promise((resolve) => this.#keeper.once("close", () => resolve()));
    createInterface({ input: this.#keeper.stderr }).on("line", (line) => {
      const [, pid] = /^server (\d+)$/.exec(line) ?? [];
      if (pid !== undefined) this.#pid = Number(pid);
      for (const listener of [...this.#listeners]) listener(line);
    });
  }

  /** @throws Error when it does not start; its output is in the message */
  static async start(options: KeptServerOptions): Promise<KeptServer> {
    const server = new KeptServer(options);
    try {
      await server.#serving();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Of its first process. */
  get pid(): number {
    return this.#pid;
  }

  /** Of it and of all that it has started and that still runs. */
  get pids(): readonly number[] {
    return familyOf(this.#pid);
  }

  /** SIGKILL to it and to all that it has started; settles when it is gone. */
  async kill(): Promise<void> {
    const gone = this.#line((line) => line === ENDED);
    const family = familyOf(this.#pid);
    this.#stopped = [];
    for (const pid of family) signal(pid, "SIGKILL");
    await gone;
    // Its number may belong to another process soon.
    rmSync(join(this.#options.folder, "pid"), { force: true });
    // Its children may outlive it by a moment, and hold what the next one wants.
    while (family.some(isThere)) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** SIGSTOP to the whole family: it holds its connections, and sends nothing from now on. */
  stop(): void {
    // The head first, so that it starts no process meanwhile.
    signal(this.#pid, "SIGSTOP");
    this.#stopped = familyOf(this.#pid);
    for (const pid of this.#stopped) signal(pid, "SIGSTOP");
    // The signal is on its way to each thread for a moment, longer on a busy machine.
    while (!this.#stopped.every(standsStill));
  }

  /** Wakes what {@link stop} has stopped. */
  cont(): void {
    for (const pid of this.#stopped) signal(pid, "SIGCONT");
    this.#stopped = [];
  }

  /** Starts it again on its folder and port, after {@link kill}. @throws Error when it does not start */
  async restart(): Promise<void> {
    const serving = this.#serving();
    this.#keeper.stdin.write("again\n");
    await serving;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cont();
    this.#keeper.stdin.end();
    await this.#ended;
  }

  async #serving(): Promise<void> {
    const { name, ready } = this.#options;
    const lines: string[] = [];
    await this.#line((line) => {
      lines.push(line);
      if (line === ENDED) throw new Error(`${name} did not start:\n${lines.join("\n")}`);
      return line.includes(ready);
    });
  }

  /** Settles at the first line to come that is it; what `isIt` throws ends the wait. */
  #line(isIt: (line: string) => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = (settle: () => void) => {
        this.#listeners.delete(listener);
        this.#keeper.off("error", failed).off("close", ended);
        settle();
      };
      const failed = (error: Error) => over(() => reject(error));
      const ended = () => over(() => reject(new Error(`${this.#options.name} has ended`)));
      const listener = (line: string) => {
        try {
          if (isIt(line)) over(resolve);
        } catch (error) {
          over(() => reject(error));
        }
      };
      this.#listeners.add(listener);
      this.#keeper.on("error", failed).on("close", ended);
    });
  }
}

/** A process and its children: PostgreSQL's are each the head of a group of its own, so that a group would not reach them. */
function familyOf(head: number): number[] {
  const children = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === head);
  return [head, ...children.map(Number)];
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1]);
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

/** Whether no thread of it runs any more. */
function standsStill(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) => /\) [TtZX] /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")));
  } catch {
    // It, or a thread of it, has ended since it was listed: the next look finds out.
    return !isThere(pid);
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
