/** The terminal of a command: prompts the user for a line, and reacts to an interrupt. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandFailed, EXIT } from "./command.ts";

/**
 * Prompts for one line; piped input is read line by line as well.
 * @param hidden does not echo the input
 * @throws CommandFailed when the input has ended
 */
export function promptAtTerminal(text: string, hidden: boolean): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(text);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: stdin.isTTY });
  return new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
      if (hidden) stderr.write("\n");
    });
    // Ctrl-C does not signal the process while a terminal is read.
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.once("close", () =>
      reject(new CommandFailed("the input has ended, but an answer is needed", EXIT.interrupted)),
    );
  });
}

/** Calls `stop` at the first Ctrl-C, until the returned object is disposed. */
export function onInterrupt(stop: () => void): Disposable {
  process.once("SIGINT", stop);
  return { [Symbol.dispose]: () => void process.off("SIGINT", stop) };
}
