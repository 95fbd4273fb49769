/**
 * A child as a process of its own.
 *
 * Invariants: it is ended when the channel is closed, from whichever side; it ends by itself when the agent has gone; it has neither the
 * agent's environment nor a right of its own on the machine's files and programs, and sees nothing of the agent (`sandbox.ts`).
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Duplex, type Readable } from "node:stream";
import { type Clock, every, type Log } from "@porchlight/shared/kernel";
import { GONE, lineChannel, type ParentChannel } from "../ipc/line-channel.ts";
import { answerByPipe } from "../ipc/permission-pipe.ts";
import { ChildLog } from "../parent/child-state.ts";
import { type ChildProgram, childEnvironment, endingWithParent } from "./child-program.ts";
import { sandboxed } from "./sandbox.ts";

export interface ChildProcessDeps {
  /** For the log. */
  readonly name: string;
  readonly program: ChildProgram;
  /** The folder that holds the driver: all that it may read. */
  readonly folder: string;
  /** What its JavaScript may take, MB. All of its memory may be half as much again. */
  readonly memoryMb: number;
  readonly mayOpenDevices: boolean;
  readonly mayUseNetwork: boolean;
  /** Whether the system can sandbox it (`sandboxProblem`). */
  readonly isSandboxed: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Besides its heap, a driver has buffers and code. */
const MEMORY_FACTOR = 1.5;
/** Where the child finds its pipes. */
export const MESSAGES_FD = 3;
export const PERMISSION_FD = 4;

export interface ChildProcess extends ParentChannel {
  /** That of the driver itself, once it has spoken. */
  readonly pid: number;
  /** Its own memory when it was last looked at, MB. */
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
  // Its own end says why by itself; a moment later the process has ended, and says more.
  const channel = lineChannel(messages);
  const mostMb = memoryMb * MEMORY_FACTOR;
  const memory = watchMemory(
    clock,
    () => pid,
    mostMb,
    (mb) => close(`it uses ${Math.round(mb)} MB of memory; the limit is ${mostMb} MB`),
  );
  child.on("error", (failure) => close(failure.message));
  // With all that it had still to say.
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
          // Its first word comes before it loads any driver.
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

/** What a process runs in the end: programs that set up a sandbox wait for one child each. */
function innermost(pid: number): number {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    return child ? innermost(Number(child)) : pid;
  } catch {
    // A system that does not list children; or it has just ended.
    return pid;
  }
}

/** A machine without memory ends it before the agent: it may take more than it should between two looks. */
function dieFirst(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, "1000");
  } catch {
    // A system that has no such file chooses by itself.
  }
}

/** A child that has closed its end and lives is of no use. */
function endSoon(clock: Clock, gone: Promise<void>, close: (why: string) => void): void {
  const timer = clock.timer("end of a child without a channel", 1000, () => close("it has closed its channel"));
  void gone.then(() => timer.cancel());
}

function wordsOfEnd(code: number | null, signal: string | null, lastWords: string | undefined): string {
  const how = signal === null ? `it has ended with status ${code}` : `it was ended by ${signal}`;
  return lastWords === undefined ? how : `${how}: ${lastWords}`;
}

/** What a child writes to stdout and stderr: lines for the agent's log, and the last words of one that dies. */
const LONGEST_LINE = 512;
const OUT_OF_MEMORY = /heap out of memory|Reached heap limit/;

export class ChildOutput {
  readonly #write: (line: string) => void;
  #last: string | undefined;
  #isOutOfMemory = false;

  constructor(streams: readonly Readable[], write: (line: string) => void) {
    this.#write = write;
    for (const stream of streams) this.#read(stream);
  }

  /** What it last said that a person can use; undefined when it said nothing. */
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
    const said = line.trim().slice(0, LONGEST_LINE);
    if (said === "") return;
    this.#isOutOfMemory ||= OUT_OF_MEMORY.test(said);
    this.#last = said;
    this.#write(said);
  }
}

/** Watches how much memory of its own a process takes: V8's own limit does not count what is outside of its heap. */
const LOOK_MS = 10_000;

interface MemoryWatch {
  /** What it has now is the program's own, and counts for nobody's driver. */
  begin(): void;
  /** What it had when it was last looked at, MB. */
  readonly seenMb: number | undefined;
  end(): void;
}

/** Private memory of a process, MB: `RssAnon` of its status; undefined when it cannot be read. No disk is read for it. */
function privateMegabytes(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

/**
 * @param pid of the process, each time that it is looked at
 * @param mostMb what it may take beyond what it had at `begin`
 * @param over told once, with what it has taken, MB
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
