/** The console within a test: its words in, what it wrote and its exit status out, without a process. */
import { PassThrough } from "node:stream";
import { type Clock, type Random, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import type { Entry } from "../session/command.ts";
import { runProgram } from "./program.ts";

export interface Ran {
  readonly exitStatus: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** The person's folder, where the settings are. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What is piped in. */
  readonly stdin?: string | undefined;
  /** What is typed on a terminal, one answer after each question. */
  readonly typed?: readonly string[] | undefined;
  /** Whether stdin, stdout and stderr are a terminal. */
  readonly terminal?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly entries?: readonly Entry[] | undefined;
}

/** Runs one command line to its end. */
export async function run(argv: readonly string[], options: RunOptions): Promise<Ran> {
  const { home, env = {}, terminal = false, columns } = options;
  const typed = [...(options.typed ?? [])];
  const stdin = new PassThrough();
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    isTTY: terminal,
    columns: terminal ? (columns ?? 80) : undefined,
    write(text: string) {
      written[name] += text;
      // A question ends where its answer begins.
      if (name === "stderr" && /(: |\] )$/.test(text) && typed.length > 0)
        queueMicrotask(() => stdin.write(`${typed.shift()}\r`));
    },
  });
  if (!terminal) stdin.end(options.stdin ?? "");
  const exitStatus = await runProgram(
    argv,
    {
      stdin: Object.assign(stdin, { isTTY: terminal, setRawMode: () => stdin }),
      stdout: sink("stdout"),
      stderr: sink("stderr"),
      // Nothing of this machine's.
      env: { TERM: "xterm", ...env },
      ...{ home, machine: "desk" },
      clock: options.clock ?? new VirtualClock(),
      random: options.random ?? seededRandom(1),
      signal: options.signal ?? new AbortController().signal,
      fetch: options.fetch,
    },
    options.entries,
  );
  return { exitStatus, ...written };
}
