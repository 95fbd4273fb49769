/** What is wrong with the command line or a file that it names: status 2, and the sentence on stderr. */
import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { NodeDefinition } from "../simulator/devices/definition.ts";
import { readDefinitions } from "../simulator/devices/file/read-definitions.ts";

/** The person who called is to change something; its message says what. */
export class UsageError extends Error {}

/** A file's text. @throws UsageError when it cannot be read */
export function textOf(file: string): string {
  return bytesOf(file).toString("utf8");
}

/** A file's bytes. @throws UsageError when it cannot be read */
export function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (failure) {
    throw new UsageError(failure instanceof Error ? failure.message : String(failure));
  }
}

/** The nodes of one file. @throws UsageError with everything that is wrong with it */
export function nodesOf(file: string): readonly NodeDefinition[] {
  const read = readDefinitions(textOf(file));
  if (read.kind === "ok") return read.nodes;
  throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
}

/** A number of an option. @throws InvalidArgumentError */
export function notNegative(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && Number.isFinite(number)))
    throw new InvalidArgumentError("It must be a number from 0.");
  return number;
}

/** A whole number of an option. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  const number = notNegative(text);
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError("It must be a whole number.");
  return number;
}
