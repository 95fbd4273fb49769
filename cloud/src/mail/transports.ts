/** Creates the transport that the operator has configured. */
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { formatTime } from "@porchlight/shared/api";
import { type Log, orAborted } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { createTransport } from "nodemailer";
import { type MailTransport, Undeliverable } from "./mail-queue.ts";
import { type EmailMessage, mailDate } from "./outbox.ts";

export interface MailSettings {
  readonly data: string;
  /** `smtp://` or `smtps://`; undefined: emails are written to files. */
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

/**
 * Writes emails to files, for a service without an SMTP server: mail programs can open each file.
 * @param folder created with the first email
 */
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

/** Sorts in the order of writing, and includes the account, to find its emails. */
function fileName({ id, accountId, writtenAt }: EmailMessage): string {
  const time = formatTime(writtenAt).replace(" ", "T").replaceAll(/[-:]/g, "");
  return `${time}-${id}-${accountId}.eml`;
}

/** RFC 5322 with UTF-8 (RFC 6532), unwrapped, so that a line can be copied whole. */
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

/** Longest silences of the server, ms; together shorter than an email's claim. */
const CONNECT_LIMIT = 15_000;
const SILENCE_LIMIT = 30_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Sends emails by SMTP. An unencrypted connection gets no password.
 * @param url `smtp://` or `smtps://`, with user and password if the server requires them @param from the sender's
 * address
 */
function smtpTransport(url: string, from: string): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== "" && !LOOPBACK.test(hostname),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_LIMIT,
    greetingTimeout: CONNECT_LIMIT,
    socketTimeout: SILENCE_LIMIT,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message, signal) {
      try {
        await orAborted(transport.sendMail(smtpMessage(message, from)), signal);
      } catch (error) {
        throw isRefusedAddress(error) ? new Undeliverable("the address is refused", { cause: error }) : error;
      }
    },
  };
}

function smtpMessage(message: EmailMessage, from: string) {
  const host = from.slice(from.lastIndexOf("@") + 1);
  return {
    // Objects, so that nodemailer does not parse addresses out of a string that a user wrote.
    from: { name: "Porchlight", address: from },
    to: { name: "", address: message.to },
    subject: message.subject,
    text: message.text,
    messageId: `<${message.id}@${host}>`,
    date: mailDate(message.writtenAt),
    headers: { "auto-submitted": "auto-generated" },
  };
}

/** A permanent refusal (5xx) of this recipient; a refused sender or log-in is the operator's problem. */
function isRefusedAddress(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return typeof responseCode === "number" && responseCode >= 500 && String(command).startsWith("RCPT");
}
