#!/usr/bin/env node
/** The program `porchlight` as a process: what it has around it, signals, and its end. */
import { homedir, hostname } from "node:os";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { runProgram } from "./main/program.ts";
import { Interrupted, OutputClosed } from "./session/failure.ts";

// Not awaited here: the packaged console is a CommonJS module, which cannot.
void main();

async function main(): Promise<never> {
  const end = new AbortController();
  // A second one does not wait for anything.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (end.signal.aborted ? process.exit(130) : end.abort(new Interrupted())));
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (failure: NodeJS.ErrnoException) => {
      // The reader has gone, as `head` does: the rest is not read.
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
  // Written out first: a pipe may still be taking it. Then nothing that is still open keeps the program alive.
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(exitStatus);
}

/** A stream of the process; its size may change while it is written to. */
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
