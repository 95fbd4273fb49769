/** The letters that lie in a mail folder, as a person finds them there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settle } from "@porchlight/shared/kernel";

export interface FoundLetter {
  readonly subject: string;
  /** The whole file. */
  readonly text: string;
  readonly code: string | undefined;
}

/** The letters to an address, oldest first. @param data the data folder of the cloud */
export function lettersTo(data: string, address: string): FoundLetter[] {
  const folder = join(data, "mail");
  return namesIn(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .filter((text) => text.split("\n").includes(`To: ${address}`))
    .map((text) => ({
      text,
      subject: /^Subject: (.*)$/m.exec(text)?.[1] ?? "",
      code: /^code: (\S+)$/m.exec(text)?.[1],
    }));
}

/** Waits until an address has got so many letters, and gives the newest. */
export async function letterTo(data: string, address: string, count = 1): Promise<FoundLetter> {
  for (let turn = 0; turn < 5_000; turn++) {
    const newest = lettersTo(data, address)[count - 1];
    if (newest) return newest;
    await settle(1);
  }
  throw new Error(`${address} has got fewer than ${count} letters`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".eml") && !name.startsWith("."))
      .sort();
  } catch {
    return [];
  }
}
