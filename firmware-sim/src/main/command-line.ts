/**
 * The command line of every command: its output, and errors in it or in a file that it names, with exit status 2 and the sentence on
 * stderr. Text of boards, hubs, files and other programs is untrusted, and must not move a cursor or forge a line.
 */
import { readFileSync } from "node:fs";
import { printable, printableLines } from "@porchlight/shared/model";
import { InvalidArgumentError } from "commander";
import type { NodeDefinition } from "../simulator/devices/definition.ts";
import { readDefinitions } from "../simulator/devices/read-definitions.ts";

/** One line on stdout. */
export function printLine(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** One line on stderr. */
export function noteLine(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Output of another program, on stderr, with its line breaks. */
export function noteOutput(text: string): void {
  process.stderr.write(printableLines(text));
}

/** A mistake of the user; the message states what to change. */
export class UsageError extends Error {}

/** Reads a text file. @throws UsageError when it cannot be read */
export function textOf(file: string): string {
  return bytesOf(file).toString("utf8");
}

/** Reads a binary file. @throws UsageError when it cannot be read */
export function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (failure) {
    throw new UsageError(failure instanceof Error ? failure.message : String(failure));
  }
}

/** The nodes of a file. @throws UsageError with every problem of the file */
export function nodesOf(file: string): readonly NodeDefinition[] {
  const read = readDefinitions(textOf(file));
  if (read.kind === "ok") return read.nodes;
  throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
}

/** Parses a number of an option. @throws InvalidArgumentError */
export function notNegative(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && Number.isFinite(number)))
    throw new InvalidArgumentError("It must be a number from 0.");
  return number;
}

/** Parses a whole number of an option. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  const number = notNegative(text);
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError("It must be a whole number.");
  return number;
}
