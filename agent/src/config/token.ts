/** The hub's client token, as a file: read at the start and shown to nobody. */
import { readFileSync } from "node:fs";

/** The file cannot be read, or holds no token. */
export class TokenUnusable extends Error {}

/**
 * The token in a file.
 * @param needed whether a file that is not there is an error; else it means that the hub is not paired
 * @throws TokenUnusable
 */
export function readToken(path: string, needed: boolean): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" && !needed) return undefined;
    throw new TokenUnusable(`the token file ${path} cannot be read (${code})`, { cause });
  }
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) throw new TokenUnusable(`the token file ${path} holds no token`);
  return text;
}
