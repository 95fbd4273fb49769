/** Letters as files, for a service that has no SMTP server: each is one that a mail program can open and a person can read. */
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatTime } from "@porchlight/shared/api";
import type { Log } from "@porchlight/shared/kernel";
import { type Letter, mailDate } from "./letter.ts";
import type { Carrier } from "./mail-room.ts";

/** @param folder it is made with the first letter */
export function folderCarrier(folder: string, from: string, log: Log): Carrier {
  return {
    async carry(letter) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = fileName(letter);
      const made = join(folder, `.${name}`);
      const file = await open(made, "w", 0o600);
      try {
        await file.writeFile(message(letter, from));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(made, join(folder, name));
      log.info({ file: join(folder, name) }, "a letter lies in the mail folder: there is no SMTP server (--smtp)");
    },
    async forget(accountId) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (name.includes(accountId)) await rm(join(folder, name), { force: true });
    },
  };
}

/** In the order in which they were written, and each account's to be found again. */
function fileName({ id, accountId, writtenAt }: Letter): string {
  const time = formatTime(writtenAt).replace(" ", "T").replaceAll(/[-:]/g, "");
  return `${time}-${id}-${accountId}.eml`;
}

/** RFC 5322 with UTF-8 (RFC 6532), unwrapped, so that a line of it can be copied. */
function message({ id, to, subject, text, writtenAt }: Letter, from: string): string {
  const host = from.slice(from.lastIndexOf("@") + 1);
  const head = [
    `From: Porchlight <${from}>`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}@${host}>`,
    `Date: ${mailDate(writtenAt)}`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  return `${head.join("\n")}\n\n${text}`;
}
