/** Which transport an operator's settings ask for. */
import { join } from "node:path";
import type { Log } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { folderTransport } from "./folder-transport.ts";
import type { MailTransport } from "./mail-queue.ts";
import { smtpTransport } from "./smtp-transport.ts";

export interface MailSettings {
  readonly data: string;
  /** `smtp://` or `smtps://`; without it emails are files. */
  readonly smtp?: Secret | undefined;
  readonly mailFrom?: string | undefined;
  readonly publicUrl?: string | undefined;
}

export function transportOf(settings: MailSettings, log: Log): MailTransport {
  const from = settings.mailFrom ?? `porchlight@${hostOf(settings.publicUrl)}`;
  if (settings.smtp) return smtpTransport(settings.smtp.reveal(), from);
  const folder = join(settings.data, "mail");
  log.warn({ folder }, "no SMTP server is set (--smtp); emails are written to files");
  return folderTransport(folder, from, log);
}

function hostOf(publicUrl: string | undefined): string {
  const host = publicUrl === undefined ? "" : new URL(publicUrl).hostname;
  return /[a-z]/i.test(host) && !host.startsWith("[") ? host : "localhost";
}
