/** Mail to people: an outbox in the store, emptied by SMTP or into a folder. */
export { carrierOf } from "./carriers.ts";
export type { Notice } from "./letter.ts";
export { MailRoom } from "./mail-room.ts";
export { Outbox, SEALED_LETTERS } from "./outbox.ts";
