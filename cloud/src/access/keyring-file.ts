/** The file `secret.key`: one sealing key a line, `ID BASE64`, the first of which seals. */
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { Keyring, type SealingKey } from "./keyring.ts";

const LINE = /^([0-9a-f]{8}) ([A-Za-z0-9+/]{43}=)$/;

/** The file exists and contains something other than keys. */
export class KeyFileBroken extends Error {
  constructor(path: string, line: number) {
    super(`${path}:${line} is not a key. A line is an ID of 8 hex digits, a space, and 32 bytes in base64.`);
  }
}

/** Reads the keys; creates the file with one key when there is none. @throws KeyFileBroken */
export function openKeyring(path: string, random: Random): Keyring {
  return new Keyring(parse(path, read(path) ?? create(path, random)), random, () => keysNow(path));
}

/** Returns no keys for a missing or broken file: the key keeper reports it. */
function keysNow(path: string): readonly SealingKey[] {
  try {
    return readKeys(path);
  } catch {
    return [];
  }
}

/** The keys of an existing file, in its order. @throws KeyFileBroken, SystemError */
export function readKeys(path: string): readonly [SealingKey, ...SealingKey[]] {
  return parse(path, readFileSync(path, "utf8"));
}

/**
 * Inserts a new key before those of the file.
 * @returns its ID
 * @throws KeyFileBroken, SystemError; `EEXIST` while another change is under way
 */
export function addKey(path: string, random: Random): string {
  const line = newLine(random);
  change(path, (lines) => [line, ...lines]);
  return line.slice(0, line.indexOf(" "));
}

/** Removes a key from the file. @throws as {@link addKey} */
export function dropKey(path: string, id: string): void {
  change(path, (lines) => lines.filter((line) => !line.startsWith(`${id} `)));
}

/** Replaces the file atomically: a reader sees the old or the new file, and the owner stays. Of two changes at once the second fails. */
function change(path: string, how: (lines: readonly string[]) => readonly string[]): void {
  const { uid, gid } = statSync(path);
  const fresh = `${path}.new`;
  writeFileSync(fresh, "", { mode: 0o600, flag: "wx" });
  try {
    readKeys(path);
    const lines = how(
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    );
    writeFileSync(fresh, `${lines.join("\n")}\n`, { flush: true });
    chownSync(fresh, uid, gid);
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function newLine(random: Random): string {
  return `${Buffer.from(random.bytes(4)).toString("hex")} ${Buffer.from(random.bytes(32)).toString("base64")}`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Of several nodes that start at once on one folder, the first to link its file wins, and all read that file. */
function create(path: string, random: Random): string {
  const made = `${path}.${Buffer.from(random.bytes(4)).toString("hex")}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(made, `${newLine(random)}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(made, path);
    chmodSync(path, 0o600);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(made);
  }
  return readFileSync(path, "utf8");
}

function parse(path: string, text: string): [SealingKey, ...SealingKey[]] {
  const lines = text.split("\n").filter((line) => line !== "");
  const keys = lines.map((line, index): SealingKey => {
    const [, id, key] = LINE.exec(line) ?? [];
    if (id === undefined || key === undefined) throw new KeyFileBroken(path, index + 1);
    return { id, key: Buffer.from(key, "base64") };
  });
  const [first, ...rest] = keys;
  if (!first) throw new KeyFileBroken(path, 1);
  return [first, ...rest];
}
