/** Which carrier an operator's settings ask for. */
import { join } from "node:path";
import type { Log } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { folderCarrier } from "./folder-carrier.ts";
import type { Carrier } from "./mail-room.ts";
import { smtpCarrier } from "./smtp-carrier.ts";

export interface MailSettings {
  readonly data: string;
  /** `smtp://` or `smtps://`; without it letters are files. */
  readonly smtp?: Secret | undefined;
  readonly mailFrom?: string | undefined;
  readonly publicUrl?: string | undefined;
}

export function carrierOf(settings: MailSettings, log: Log): Carrier {
  const from = settings.mailFrom ?? `porchlight@${hostOf(settings.publicUrl)}`;
  if (settings.smtp) return smtpCarrier(settings.smtp.reveal(), from);
  const folder = join(settings.data, "mail");
  log.warn({ folder }, "no SMTP server is set (--smtp): letters are written to files");
  return folderCarrier(folder, from, log);
}

function hostOf(publicUrl: string | undefined): string {
  const host = publicUrl === undefined ? "" : new URL(publicUrl).hostname;
  return /[a-z]/i.test(host) && !host.startsWith("[") ? host : "localhost";
}
