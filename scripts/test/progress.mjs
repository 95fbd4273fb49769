// What is seen of a test run while it runs: what is going on, how many of how many files have ended, and how long it took the last time.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../tools.mjs";

/** Where vitest's reporter writes what this reads. */
export const PROGRESS_FD = 3;

/** Where a run that was whole leaves how long it took, for the next one. */
const LAST = join(root, "node_modules", ".cache", "porchlight", "test-seconds.json");
/** On a terminal one line changes in place; elsewhere a line comes this often, ms. */
const EVERY_MS = process.stdout.isTTY ? 1000 : 15_000;
const MOST_NAMES = 3;

/** Shows one step until it is ended. */
export class Progress {
  #name;
  #last;
  #started = performance.now();
  #timer = setInterval(() => this.#show(), EVERY_MS);
  #files = 0;
  #ended = 0;
  #counts = { passed: 0, failed: 0 };
  #running = new Set();

  /** @param name of the step @param input lines of vitest's reporter */
  constructor(name, input) {
    this.#name = name;
    this.#last = lastSeconds()[name];
    createInterface({ input }).on("line", (line) => this.#hear(JSON.parse(line)));
  }

  /** @param isWhole whether it is a measure for the next time */
  end(isWhole) {
    clearInterval(this.#timer);
    clearLine();
    if (!isWhole) return;
    mkdirSync(dirname(LAST), { recursive: true });
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    writeFileSync(LAST, JSON.stringify({ ...lastSeconds(), [this.#name]: seconds }));
  }

  #hear({ files, began, ended, passed, failed }) {
    if (files !== undefined) this.#files = files;
    if (began !== undefined) this.#running.add(began);
    if (ended === undefined) return;
    this.#ended += 1;
    this.#counts = { passed, failed };
    this.#running.delete(ended);
  }

  #show() {
    const { passed, failed } = this.#counts;
    const took = time((performance.now() - this.#started) / 1000);
    const last = this.#last === undefined ? "" : `, ${time(this.#last)} the last time`;
    const files = this.#files > 0 ? `: ${this.#ended} of ${this.#files} files, ${passed} passed, ${failed} failed` : "";
    const names = [...this.#running];
    const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
    const now = names.length > 0 ? `; now ${names.slice(0, MOST_NAMES).join(", ")}${more}` : "";
    const line = `running ${this.#name}${files}, ${took}${last}${now}`;
    clearLine();
    process.stdout.write(process.stdout.isTTY ? line.slice(0, process.stdout.columns - 1) : `${line}\n`);
  }
}

/** Takes the line that changes in place off the terminal: before anything else is written there. */
export function clearLine() {
  if (process.stdout.isTTY) process.stdout.write("\r\x1b[K");
}

function lastSeconds() {
  try {
    return JSON.parse(readFileSync(LAST, "utf8"));
  } catch {
    return {};
  }
}

/** Minutes and seconds. */
export function time(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
