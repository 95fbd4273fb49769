/** Binds properties to the topics and templates of an entity: the sources of their values, and their commands. */
import { isNoValue } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { Publication, ValueEnd } from "../device/mqtt-device.ts";
import type { EntityOptions } from "./entity-options.ts";
import type { KnownPart, PartBinding, PartState } from "./entity-parts.ts";
import type { Convert } from "./entity-values.ts";

/** The names of two options: a topic, and the template of its messages. */
export interface TopicKeys {
  readonly topic: string;
  readonly template?: string | undefined;
}

/** The variables of a command's template; without a template, `value` is the command. */
export type CommandVariables = Readonly<Record<string, unknown>> & { readonly value: string | number };

/**
 * The source of a property's values; undefined when no topic has them.
 * @param unit of the values, where it differs from the property's
 */
export function stateOf(
  options: EntityOptions,
  keys: TopicKeys,
  convert: Convert,
  unit?: string,
): PartState | undefined {
  const topic = options.topic(keys.topic);
  const read = topic === undefined ? undefined : options.reader(keys.template);
  if (topic === undefined || !read) return undefined;
  return {
    ...{ topic, unit },
    read: (payload) => {
      const text = read(payload);
      if (text === undefined) return isNoValue(payload.text) ? null : undefined;
      return convert(text);
    },
    raw: read,
  };
}

/** Maximum time of a timer, ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** Converts an option in seconds to the time of a timer, ms. */
export function endAfterMs(seconds: number): number {
  return Math.min(LONGEST_MS, Math.round(seconds * 1000));
}

/** How long a sensor's value lasts when no message renews it: `expire_after`; 0 means without end, as in Home Assistant. */
export function expiry(options: EntityOptions): readonly ValueEnd[] {
  const seconds = options.number("expire_after") ?? 0;
  return seconds > 0 ? [{ afterMs: endAfterMs(seconds), becomes: null }] : [];
}

/** The source of values that have a fixed place in a message, as in JSON lights. */
export function stateBy(
  options: EntityOptions,
  topicKey: string,
  read: PartState["read"],
  raw?: PartState["raw"],
): PartState | undefined {
  const topic = options.topic(topicKey);
  return topic === undefined ? undefined : { topic, read, raw };
}

/** The command that sets the property; undefined when it cannot be set. */
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

/** A constant command; undefined when it cannot be sent. */
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
