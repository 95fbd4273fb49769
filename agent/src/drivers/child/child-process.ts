/**
 * A child as a separate process.
 *
 * Invariants: it is ended when either side closes the channel; it ends by itself when the agent is gone; it has neither the agent's
 * environment nor rights of its own on the machine's files and programs, and sees nothing of the agent (`sandbox.ts`).
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Duplex, type Readable } from "node:stream";
import { type Clock, every, type Log } from "@porchlight/shared/kernel";
import { type ChildProgram, childEnvironment, endingWithParent } from "./child-program.ts";
import { ChildLog } from "./child-state.ts";
import { GONE, lineChannel, type ParentChannel } from "./line-channel.ts";
import { answerByPipe } from "./permission-pipe.ts";
import { sandboxed } from "./sandbox.ts";

export interface ChildProcessDeps {
  /** For the log. */
  readonly name: string;
  readonly program: ChildProgram;
  /** The folder of the driver: the child may read no other. */
  readonly folder: string;
  /** Limit of its JavaScript heap, MB. Its whole memory may be half as much again. */
  readonly memoryMb: number;
  readonly mayOpenDevices: boolean;
  readonly mayUseNetwork: boolean;
  /** Whether the system can sandbox it (`sandboxProblem`). */
  readonly isSandboxed: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** In addition to its heap, a driver has buffers and code. */
const MEMORY_FACTOR = 1.5;
/** File descriptors of the child's pipes. */
export const MESSAGES_FD = 3;
export const PERMISSION_FD = 4;

export interface ChildProcess extends ParentChannel {
  /** The ID of the driver's own process, once it has sent a message. */
  readonly pid: number;
  /** Its own memory at the last check, MB. */
  readonly memoryMb: number | undefined;
}

/** @throws Error when the system has no room for a process */
export function childProcess(deps: ChildProcessDeps): ChildProcess {
  const { name, program, folder, memoryMb, mayOpenDevices, mayUseNetwork, isSandboxed, clock, log } = deps;
  const reads = [folder, ...program.reads];
  const view = { reads, mayOpenDevices, mayUseNetwork };
  const [command, args] = isSandboxed ? sandboxed(program, view) : endingWithParent(program);
  const child = spawn(command, args, {
    cwd: "/",
    env: childEnvironment(deps.env, { reads, heapMb: memoryMb, mayOpenDevices }),
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
  });
  const { pid: started, stdio, stdout, stderr } = child;
  const [messages, permission] = [stdio[MESSAGES_FD], stdio[PERMISSION_FD]];
  if (started === undefined || !(messages instanceof Duplex) || !(permission instanceof Duplex) || !stdout || !stderr) {
    child.on("error", () => undefined);
    throw new Error("the system could not start a process for it");
  }
  dieFirst(started);
  let pid = started;
  const childLog = new ChildLog(name, log, clock);
  const output = new ChildOutput([stdout, stderr], (line) => childLog.write("info", {}, line));
  const gone = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<string>();
  let reason: string | undefined;

  const close = (why: string) => {
    reason ??= why;
    child.kill("SIGKILL");
  };
  // The end of the channel gives a reason; a moment later the end of the process gives a better one.
  const channel = lineChannel(messages);
  const mostMb = memoryMb * MEMORY_FACTOR;
  const memory = watchMemory(
    clock,
    () => pid,
    mostMb,
    (mb) => close(`it uses ${Math.round(mb)} MB of memory; the limit is ${mostMb} MB`),
  );
  child.on("error", (failure) => close(failure.message));
  // Emitted after all remaining output.
  child.on("close", (code, signal) => {
    memory.end();
    closed.resolve(reason ?? wordsOfEnd(code, signal, output.lastWords));
    gone.resolve();
  });

  return {
    get pid() {
      return pid;
    },
    get memoryMb() {
      return memory.seenMb;
    },
    gone: gone.promise,
    send: (message) => channel.send(message),
    listen: ({ received, mayTouch, closed: tell }) => {
      answerByPipe(permission, mayTouch);
      void closed.promise.then(tell);
      let isKnown = false;
      channel.listen({
        received: (message) => {
          // The first message comes before any driver is loaded.
          if (!isKnown) {
            pid = innermost(pid);
            dieFirst(pid);
            memory.begin();
          }
          isKnown = true;
          received(message);
        },
        closed: (why) => (why === GONE ? endSoon(clock, gone.promise, close) : close(why)),
      });
    },
    close,
  };
}

/** The innermost process: programs that set up a sandbox wait for one child each. */
function innermost(pid: number): number {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return child ? innermost(Number(child)) : pid;
  } catch {
    // The system does not list children, or the process has just ended.
    return pid;
  }
}

/** Makes the kernel end the child before the agent when memory runs out: it can exceed its limit between two checks. */
function dieFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // Without this file the system chooses by itself.
  }
}

/** Ends a child that has closed its channel and still runs. */
function endSoon(clock: Clock, gone: Promise<void>, close: (why: string) => void): void {
  const timer = clock.timer("end of a child without a channel", 1000, () => close("it has closed its channel"));
  void gone.then(() => timer.cancel());
}

function wordsOfEnd(code: number | null, signal: string | null, lastWords: string | undefined): string {
  const how = signal === null ? `it has ended with status ${code}` : `it was ended by ${signal}`;
  return lastWords === undefined ? how : `${how}: ${lastWords}`;
}

/** Maximum length of a line that a child writes to stdout or stderr. */
const LONGEST_LINE = 512;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

/** A child's stdout and stderr: passes lines to the agent's log, and keeps the last words of a child that dies. */
export class ChildOutput {
  readonly #write: (line: string) => void;
  #last: string | undefined;
  #isOutOfMemory = false;

  constructor(streams: readonly Readable[], write: (line: string) => void) {
    this.#write = write;
    for (const stream of streams) this.#read(stream);
  }

  /** The last output that helps a person; undefined when there was none. */
  get lastWords(): string | undefined {
    return this.#isOutOfMemory ? "it needs more memory than it is allowed" : this.#last;
  }

  #read(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("error", () => undefined);
    stream.on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      // A line that does not end must not fill the memory.
      rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
      for (const line of lines) this.#take(line);
    });
    stream.on("end", () => this.#take(rest));
  }

  #take(line: string): void {
    const text = line.trim().slice(0, LONGEST_LINE);
    if (text === "") return;
    this.#isOutOfMemory ||= OUT_OF_MEMORY.test(text);
    this.#last = text;
    this.#write(text);
  }
}

/** Interval of the memory checks, ms: V8's own limit does not count memory outside of its heap. */
const LOOK_MS = 10_000;

interface MemoryWatch {
  /** Takes the current memory as the program's own, which is not attributed to the driver. */
  begin(): void;
  /** The memory at the last check, MB. */
  readonly seenMb: number | undefined;
  end(): void;
}

/** Private memory of a process, MB: `RssAnon` of its status, read without disk access; undefined when it cannot be read. */
function privateMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/**
 * @param pid returns the ID of the process, at each check
 * @param mostMb maximum memory beyond that at `begin`
 * @param over called once with the memory taken, MB
 */
function watchMemory(clock: Clock, pid: () => number, mostMb: number, over: (mb: number) => void): MemoryWatch {
  let seenMb: number | undefined;
  let ownMb = 0;
  let isOver = false;
  const look = () => {
    seenMb = privateMegabytes(pid()) ?? seenMb;
    if (isOver || seenMb === undefined || seenMb - ownMb <= mostMb) return;
    isOver = true;
    over(seenMb - ownMb);
  };
  const timer = every(clock, "memory of a child", LOOK_MS, look);
  return {
    begin: () => {
      ownMb = privateMegabytes(pid()) ?? 0;
    },
    get seenMb() {
      return seenMb;
    },
    end: () => {
      isOver = true;
      timer.cancel();
    },
  };
}
