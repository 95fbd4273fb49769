// Starts, watches and stops the three programs of the demonstration. Their output goes to stderr, each line with its name.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Programs {
  #node;
  #root;
  #running = new Map();
  #stopping = false;

  /** @param node the Node.js to run them with @param root the repository */
  constructor(node, root) {
    this.#node = node;
    this.#root = root;
  }

  /** Starts a program; its stdout lines come to `onLine`. Gives its pid. `isLasting`: its end is worth a word. */
  start(name, main, args, onLine = () => {}, isLasting = true) {
    const child = spawn(this.#node, [main, ...args], {
      cwd: this.#root,
      env: process.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    createInterface({ input: child.stdout }).on("line", onLine);
    createInterface({ input: child.stderr }).on("line", (line) =>
      process.stderr.write(`${name.padEnd(9)} ${readable(line)}\n`),
    );
    const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
    this.#running.set(name, { child, ended });
    void ended.then(({ code, signal }) => {
      this.#running.delete(name);
      if (isLasting && !this.#stopping)
        process.stderr.write(`The ${name} has ended (${signal ?? `status ${code}`}). It is not started again here.\n`);
    });
    return child.pid;
  }

  /** Runs a program until it has ended and its output is complete; its stdout lines come to `onLine`. */
  run(name, main, args, onLine) {
    this.start(name, main, args, onLine, false);
    return new Promise((resolve) => this.#running.get(name)?.child.once("close", resolve));
  }

  /** Waits for a line that `read` takes. Fails when the program ends before. */
  startUntil(name, main, args, read) {
    return new Promise((resolve, reject) => {
      const pid = this.start(name, main, args, (line) => {
        const value = read(line);
        if (value !== undefined) resolve({ pid, value });
      });
      void this.#running
        .get(name)
        ?.ended.then(({ code, signal }) =>
          reject(new Error(`The ${name} ended before it was ready (${signal ?? `status ${code}`}).`)),
        );
    });
  }

  /** Settles when the named program ends. */
  async ended(name) {
    await this.#running.get(name)?.ended;
  }

  /** Asks all to stop, in the opposite order of their start, and waits for them. */
  async stop() {
    this.#stopping = true;
    for (const { child, ended } of [...this.#running.values()].reverse()) {
      child.kill("SIGTERM");
      const hung = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await ended;
      clearTimeout(hung);
    }
  }
}

/** A log line for a person: the sentence, then its context. Other lines stay unchanged. */
function readable(line) {
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return line;
  }
  const { level, time, pid, hostname, msg, ...about } = entry;
  const fields = Object.entries(about).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [level >= 40 ? "!" : "", msg, ...fields].filter(Boolean).join("  ");
}
