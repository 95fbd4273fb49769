/** Emails by SMTP. A connection that could be overheard is not given a password. */
import { orAborted } from "@porchlight/shared/kernel";
import { createTransport } from "nodemailer";
import { type MailTransport, Undeliverable } from "./mail-queue.ts";
import { type EmailMessage, mailDate } from "./outbox.ts";

/** Longest silences of the other side, ms; together shorter than an email's claim. */
const CONNECT_LIMIT = 15_000;
const SILENCE_LIMIT = 30_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @param url `smtp://` or `smtps://`, with user and password where the server wants them @param from the sender's address */
export function smtpTransport(url: string, from: string): MailTransport {
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
        await orAborted(transport.sendMail(mimeMessage(message, from)), signal);
      } catch (error) {
        throw isRefusedAddress(error) ? new Undeliverable("the address is refused", { cause: error }) : error;
      }
    },
  };
}

function mimeMessage(message: EmailMessage, from: string) {
  const host = from.slice(from.lastIndexOf("@") + 1);
  return {
    // As objects: an address is never parsed out of a line that somebody else wrote.
    from: { name: "Porchlight", address: from },
    to: { name: "", address: message.to },
    subject: message.subject,
    text: message.text,
    messageId: `<${message.id}@${host}>`,
    date: mailDate(message.writtenAt),
    headers: { "auto-submitted": "auto-generated" },
  };
}

/** A permanent refusal (5xx) of this very recipient; one of the sender or of the log-in is the operator's to mend. */
function isRefusedAddress(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return typeof responseCode === "number" && responseCode >= 500 && String(command).startsWith("RCPT");
}
