#!/usr/bin/env node
/** The program `porchlight` as a process: its surroundings, its signals, and its end. */
import { homedir, hostname } from "node:os";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { runProgram } from "./main/program.ts";
import { Interrupted, OutputClosed } from "./session/failure.ts";

// Not awaited: the packaged console is a CommonJS module, which has no top-level await.
void main();

async function main(): Promise<never> {
  const end = new AbortController();
  // A second signal ends the process at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (end.signal.aborted ? process.exit(130) : end.abort(new Interrupted())));
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (failure: NodeJS.ErrnoException) => {
      // The reader has closed the pipe, as `head` does: stop writing.
      if (failure.code !== "EPIPE") throw failure;
      end.abort(new OutputClosed());
    });
  const exitStatus = await runProgram(process.argv.slice(2), {
    ...{ stdin: process.stdin, stdout: sinkOf(process.stdout), stderr: sinkOf(process.stderr) },
    ...{
      env: process.env,
      home: homedir(),
      machine: hostname(),
      clock: systemClock,
      random: systemRandom,
      signal: end.signal,
    },
  });
  // Flush stdout first, because a pipe may still be reading. Then exit, so that no open handle keeps the process alive.
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(exitStatus);
}

/** A stream of the process; its size may change during output. */
function sinkOf(stream: NodeJS.WriteStream) {
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
    write: (text: string) => void stream.write(text),
    onResize(listener: () => void) {
      stream.on("resize", listener);
      return () => void stream.off("resize", listener);
    },
  };
}
