/**
 * Secrets that the environment provides as files: a `…_FILE` variable, or a systemd credential. No other settings are read from files
 * of their own.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileVariableOf } from "./notes.ts";

/** Variable with the folder of a unit's credentials (`LoadCredential=`); its files have the names of settings. */
const CREDENTIALS = "CREDENTIALS_DIRECTORY";

/** A larger file is a mistake, not a secret. */
const MOST_BYTES = 65_536;

interface SecretFiles {
  readonly texts: readonly { readonly text: string; readonly source: string }[];
  /** Where the environment names a file, readable or not. */
  readonly sources: readonly string[];
  /** Unusable files, by name; never with their content. */
  readonly problems: readonly SettingsProblem[];
}

/** The contents of a secret's files, without the final line end. A credential that does not exist is left out. */
export function secretFiles(key: string, env: Readonly<Record<string, string | undefined>>): SecretFiles {
  const named = env[fileVariableOf(key)];
  const folder = env[CREDENTIALS];
  const candidates: readonly { path: string; source: string; isOptional: boolean }[] = [
    ...(named === undefined ? [] : [{ path: named, source: fileVariableOf(key), isOptional: false }]),
    ...(folder ? [{ path: join(folder, key), source: `the credential ${key}`, isOptional: true }] : []),
  ];
  const results = candidates.flatMap(({ path, source, isOptional }) => {
    const result = readSecret(path);
    return result.isAbsent && isOptional ? [] : [{ ...result, path, source }];
  });
  return {
    texts: results.flatMap(({ text, source, path }) =>
      text === undefined ? [] : [{ text, source: at(source, path) }],
    ),
    sources: results.map(({ source, path }) => at(source, path)),
    problems: results.flatMap(({ why, source, path }) =>
      why === undefined ? [] : [{ source: at(source, path), key, message: `the file of \`${key}\` ${why}` }],
    ),
  };
}

function at(source: string, path: string): string {
  return `${source} (${path})`;
}

type SecretText =
  | { readonly text: string; readonly why?: undefined; readonly isAbsent: false }
  | { readonly text?: undefined; readonly why: string; readonly isAbsent: boolean };

function readSecret(path: string): SecretText {
  let bytes: Buffer;
  try {
    bytes = firstBytes(path, MOST_BYTES + 1);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : cause;
    return { why: `cannot be read (${code})`, isAbsent: code === "ENOENT" };
  }
  if (bytes.length > MOST_BYTES) return { why: `is larger than ${MOST_BYTES} bytes`, isAbsent: false };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { why: "is not UTF-8 text", isAbsent: false };
  }
  const secret = text.replace(/\r?\n$/, "");
  return secret === "" ? { why: "is empty", isAbsent: false } : { text: secret, isAbsent: false };
}

/** Reads at most `most` bytes: the file may be a device or a pipe, which has no size. */
function firstBytes(path: string, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  const file = openSync(path, "r");
  try {
    let length = 0;
    while (length < most) {
      const read = readSync(file, bytes, length, most - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Exit status of a program that fails. */
const FAILED = 1;
const WRONG_USAGE = 2;

/**
 * Prints why a program fails, unless it was already printed, and returns the exit status.
 * @param err prints the text; stderr when omitted
 * @param isPlain whether the failure's own sentence is enough; for any other failure the stack is printed
 */
export function exitStatusOf(
  program: string,
  failure: unknown,
  isPlain: (failure: unknown) => boolean,
  err: (text: string) => void = (text) => void process.stderr.write(text),
): number {
  if (failure instanceof Error && "exitCode" in failure && "code" in failure) {
    // Commander has printed its own text; help and version are no mistakes.
    return failure.exitCode === 0 ? 0 : WRONG_USAGE;
  }
  if (failure instanceof SettingsError) {
    err(`${failure.message}\n`);
    return WRONG_USAGE;
  }
  const plain = isPlain(failure) || !(failure instanceof Error);
  err(`${program}: ${plain ? String(failure).replace(/^Error: /, "") : failure.stack}\n`);
  return FAILED;
}

/** One problem of the settings. All problems are reported at once, so that a user need not fix a file one error at a time. */
export interface SettingsProblem {
  /** Place of the problem: `FILE:LINE`, the variable or the flag; the program's name when there is no place. */
  readonly source: string;
  /** Key of the setting, dotted for a nested one; empty when the file as a whole is at fault. */
  readonly key: string;
  /** The problem and, where known, the likely intention. Never the value: it may be a secret. */
  readonly message: string;
}

/** Thrown by `loadSettings`; its message lists every problem, one a line. Programs exit with status 2 on it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  readonly problems: readonly SettingsProblem[];

  constructor(program: string, problems: readonly SettingsProblem[]) {
    const head = problems.length === 1 ? "one setting is wrong" : `${problems.length} settings are wrong`;
    super([`${program}: ${head}`, ...problems.map(({ source, message }) => `  ${source}: ${message}`)].join("\n"));
    this.problems = problems;
  }
}
