/** The person at the terminal of a command: asked for a line, and able to interrupt. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandFailed, EXIT } from "./command.ts";

/**
 * Asks for one line; what is piped in counts line by line as well.
 * @param hidden not shown while it is typed
 * @throws CommandFailed when there is no line any more
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
    // Ctrl-C while a terminal is read is no signal to the process.
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    lines.once("close", () =>
      reject(new CommandFailed("the input has ended, but an answer is needed", EXIT.interrupted)),
    );
  });
}

/** Calls `stop` at the first Ctrl-C, until it is disposed of. */
export function onInterrupt(stop: () => void): Disposable {
  process.once("SIGINT", stop);
  return { [Symbol.dispose]: () => void process.off("SIGINT", stop) };
}
