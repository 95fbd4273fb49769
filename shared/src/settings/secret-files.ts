/** Secrets that the environment gives by files: a `…_FILE` variable, or a credential of systemd. Only these settings are read from files of their own. */
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { fileVariableOf } from "./names.ts";
import type { SettingsProblem } from "./problem.ts";

/** Where systemd puts the credentials of a unit (`LoadCredential=`): files with the names of settings. */
const CREDENTIALS = "CREDENTIALS_DIRECTORY";

/** Larger files are not secrets but mistakes. */
const MOST_BYTES = 65_536;

interface SecretFiles {
  readonly texts: readonly { readonly text: string; readonly source: string }[];
  /** Where a file is given, whether it can be read or not. */
  readonly sources: readonly string[];
  /** Files that cannot be used, by name; never with their text. */
  readonly problems: readonly SettingsProblem[];
}

/** The text of the files that are given for a secret, without the line end at the end of each. A credential that does not exist is not given. */
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

/** No more of a file than that: it may be a device or a pipe, which has no size. */
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
