/** The emails that lie in a mail folder, as a person finds them there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { settle, systemClock } from "@porchlight/shared/kernel";
import { WAIT_MS } from "../../../test/parts/limits.ts";

export interface FoundEmail {
  readonly subject: string;
  /** The whole file. */
  readonly text: string;
  readonly code: string | undefined;
}

/** The emails to an address, oldest first. @param data the data folder of the cloud */
export function emailsTo(data: string, address: string): FoundEmail[] {
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

/** Waits until an address has got so many emails, and gives the newest. */
export async function emailTo(data: string, address: string, count = 1): Promise<FoundEmail> {
  const end = systemClock.monotonic() + WAIT_MS;
  while (systemClock.monotonic() < end) {
    const newest = emailsTo(data, address)[count - 1];
    if (newest) return newest;
    await settle(1);
  }
  throw new Error(`${address} has got fewer than ${count} messages`);
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
