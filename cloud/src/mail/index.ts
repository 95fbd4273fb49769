/** Mail to people: an outbox in the store, emptied by SMTP or into a folder. */

export { MailQueue } from "./mail-queue.ts";
export type { Notice } from "./outbox.ts";
export { Outbox, SEALED_EMAILS } from "./outbox.ts";
export { transportOf } from "./transports.ts";
