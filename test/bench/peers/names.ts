/** What caller and device call the things between them, and how both read an entry of a stream of Redis. */
import type { Reply } from "./redis-client.ts";

export const LAMP = "lamp";
/** Where writes are published: of MQTT and of NATS. */
export const TOPIC = "devices.lamp.set";
export const COMMANDS = "commands";
export const ANSWERS = "answers";
export const GROUP = "devices";
/** Entries that a stream keeps, about. */
export const MOST_KEPT = "10000";

export interface Entry {
  /** Of the stream. */
  readonly entry: string;
  /** Of the write. */
  readonly id: string;
  readonly text: string;
}

/** Of what XREAD or XREADGROUP of one stream gives. @throws Error when it is anything else */
export function entriesOf(reply: Reply): Entry[] {
  if (reply === null) return [];
  const [stream] = arrayOf(reply);
  const [, entries = []] = arrayOf(stream);
  return arrayOf(entries).map((each) => {
    const [entry, fields] = arrayOf(each);
    const [, id, , text] = arrayOf(fields);
    return { entry: String(entry), id: String(id), text: String(text) };
  });
}

function arrayOf(reply: Reply | undefined): readonly Reply[] {
  if (typeof reply !== "object" || reply === null) throw new Error(`no entries of Redis: ${reply}`);
  return reply;
}
