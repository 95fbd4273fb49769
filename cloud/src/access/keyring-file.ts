/** The file `secret.key`: one sealing key a line, `ID BASE64`, the first of which seals. */
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { Keyring, type SealingKey } from "./keyring.ts";

const LINE = /^([0-9a-f]{8}) ([A-Za-z0-9+/]{43}=)$/;

/** The file is there and holds something else than keys. */
export class KeyFileBroken extends Error {
  constructor(path: string, line: number) {
    super(`${path}:${line} is no key. A line is an id of 8 hex digits, a space, and 32 bytes in base64.`);
  }
}

/** Reads the keys; makes the file with one key when there is none. @throws KeyFileBroken */
export function openKeyring(path: string, random: Random): Keyring {
  return new Keyring(parse(path, read(path) ?? create(path, random)), random);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Of several nodes that start at once on one folder, the first to link wins and all read its file. */
function create(path: string, random: Random): string {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const made = `${path}.${hex(random.bytes(4))}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(made, `${hex(random.bytes(4))} ${Buffer.from(random.bytes(32)).toString("base64")}\n`, {
    mode: 0o600,
    flag: "wx",
    flush: true,
  });
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
