/**
 * A child as a process of its own.
 *
 * Invariants: it is ended when the channel is closed, from whichever side; it ends by itself when the agent has gone; it has neither the
 * agent's environment nor a right of its own on the machine's files and programs, and sees nothing of the agent (`sandbox.ts`).
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { Duplex } from "node:stream";
import type { Clock, Log } from "@porchlight/shared/kernel";
import type { ParentChannel } from "../ipc/channel.ts";
import { GONE, lineChannel } from "../ipc/line-channel.ts";
import { answerByPipe } from "../ipc/permission-pipe.ts";
import { ChildLog } from "../parent/child-state.ts";
import { ChildOutput } from "./child-output.ts";
import { type ChildProgram, childEnvironment, endingWithParent } from "./child-program.ts";
import { watchMemory } from "./memory-watch.ts";
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
