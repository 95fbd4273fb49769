/** Emails as files, for a service that has no SMTP server: each is one that a mail program can open and a person can read. */
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatTime } from "@porchlight/shared/api";
import type { Log } from "@porchlight/shared/kernel";
import { type EmailMessage, mailDate } from "./email-message.ts";
import type { MailTransport } from "./mail-queue.ts";

/** @param folder it is made with the first email */
export function folderTransport(folder: string, from: string, log: Log): MailTransport {
  return {
    async send(message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = fileName(message);
      const made = join(folder, `.${name}`);
      const file = await open(made, "w", 0o600);
      try {
        await file.writeFile(mimeMessage(message, from));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(made, join(folder, name));
      log.info(
        { file: join(folder, name) },
        "an email was written to the mail folder because no SMTP server is set (--smtp)",
      );
    },
    async forget(accountId) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (name.includes(accountId)) await rm(join(folder, name), { force: true });
    },
  };
}

/** In the order in which they were written, and each account's to be found again. */
function fileName({ id, accountId, writtenAt }: EmailMessage): string {
  const time = formatTime(writtenAt).replace(" ", "T").replaceAll(/[-:]/g, "");
  return `${time}-${id}-${accountId}.eml`;
}

/** RFC 5322 with UTF-8 (RFC 6532), unwrapped, so that a line of it can be copied. */
function mimeMessage({ id, to, subject, text, writtenAt }: EmailMessage, from: string): string {
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
