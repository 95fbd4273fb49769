/** Errors of the command line or of a file that it names: exit status 2, and the sentence on stderr. */
import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { NodeDefinition } from "../simulator/devices/definition.ts";
import { readDefinitions } from "../simulator/devices/read-definitions.ts";

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
