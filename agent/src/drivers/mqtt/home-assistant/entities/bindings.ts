/** Ties properties to the topics and templates of an entity: where their values come, and how they are set. */
import type { Value } from "@porchlight/shared/model";
import type { Publication } from "../../device/mqtt-device.ts";
import type { Payload } from "../../device/payload.ts";
import type { EntityOptions } from "./entity-options.ts";
import type { KnownPart, PartBinding, PartState } from "./parts.ts";
import type { Convert } from "./values.ts";

/** The names of two options: a topic, and the template of what comes or goes on it. */
export interface TopicKeys {
  readonly topic: string;
  readonly template?: string | undefined;
}

/** What a command's template may use; without one, `value` is the command. */
export type CommandVariables = Readonly<Record<string, unknown>> & { readonly value: string | number };

/** Where values come; undefined when no topic says them. */
export function stateOf(options: EntityOptions, keys: TopicKeys, convert: Convert): PartState | undefined {
  const topic = options.topic(keys.topic);
  const read = topic === undefined ? undefined : options.reader(keys.template);
  if (topic === undefined || !read) return undefined;
  return {
    topic,
    read: (payload) => {
      const text = read(payload);
      return text === undefined ? undefined : convert(text);
    },
  };
}

/** Where values come that a message has at places of its own, as JSON lights have. */
export function stateBy(
  options: EntityOptions,
  topicKey: string,
  read: (payload: Payload) => Value | undefined,
): PartState | undefined {
  const topic = options.topic(topicKey);
  return topic === undefined ? undefined : { topic, read };
}

/** How it is set; undefined when it cannot be. */
export function commandOf(
  options: EntityOptions,
  keys: TopicKeys,
  variablesOf: (value: Value, known: KnownPart) => CommandVariables,
): PartBinding["set"] {
  const topic = options.topic(keys.topic);
  const write = topic === undefined ? undefined : options.writer(keys.template);
  if (topic === undefined || !write) return undefined;
  const { qos, retain } = manner(options);
  return (value, known) => ({ topic, payload: write(variablesOf(value, known)), qos, retain });
}

/** A command that is always the same; undefined when it cannot be sent. */
export function fixedCommand(options: EntityOptions, keys: TopicKeys, payload: string): PartBinding["set"] {
  return commandOf(options, keys, () => ({ value: payload }));
}

/** Sends `yes` for true and `no` for false. */
export function eitherCommand(options: EntityOptions, keys: TopicKeys, yes: string, no: string): PartBinding["set"] {
  return commandOf(options, keys, (value) => ({ value: value === true ? yes : no }));
}

function manner(options: EntityOptions): Pick<Publication, "qos" | "retain"> {
  const qos = options.number("qos");
  return { qos: qos === 1 || qos === 2 ? qos : 0, retain: options.flag("retain") ?? false };
}
