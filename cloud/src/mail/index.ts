/** Mail: an outbox in the store, which is sent by SMTP or written into a folder. */

export { MailQueue } from "./mail-queue.ts";
export type { Notice } from "./outbox.ts";
export { Outbox, SEALED_EMAILS } from "./outbox.ts";
export { transportOf } from "./transports.ts";
