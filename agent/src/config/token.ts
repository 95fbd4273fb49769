/** The hub's client token, as a file: read by the agent, written by pairing, never shown. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { writePrivateFile } from "./private-file.ts";

/** The file cannot be read, or holds no token. */
export class TokenUnusable extends Error {}

/** Where the hub's token is kept. */
export interface TokenStore {
  /** Undefined when there is none: the hub is not paired. @throws TokenUnusable */
  read(): string | undefined;
  /** Replaces what is there, whole or not at all. @throws SystemError */
  write(token: string): void;
  /** @throws SystemError */
  remove(): void;
}

/**
 * The token in a file.
 * @param named by a person: the folder that it is said to be in has to be there; otherwise it is the data folder's own
 */
export function tokenFile({
  data,
  tokenFile: named,
}: {
  readonly data: string;
  readonly tokenFile?: string | undefined;
}): TokenStore {
  const path = named ?? join(data, "token");
  return {
    read: () => readToken(path, named !== undefined),
    write: (token) => writePrivateFile(path, `${token}\n`),
    remove: () => rmSync(path, { force: true }),
  };
}

function readToken(path: string, isNamed: boolean): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" && (!isNamed || existsSync(dirname(path)))) return undefined;
    throw new TokenUnusable(`the token file ${path} cannot be read (${code})`, { cause });
  }
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) throw new TokenUnusable(`the token file ${path} contains no token`);
  return text;
}
