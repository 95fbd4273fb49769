/**
 * Binds properties to the topics and templates of an entity: the sources of their values, the readers of Home Assistant's texts, and the
 * commands that set them.
 */
import { isNoValue, readNumber, readShare, readText } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { Publication, ValueEnd } from "../device/mqtt-device.ts";
import type { EntityOptions } from "./entity-options.ts";
import type { KnownPart, PartBinding, PartState } from "./entity-parts.ts";

/** The names of two options: a topic, and the template of its messages. */
interface TopicKeys {
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

/** `null`: the text means that there is no value, or is no valid value of this property. Undefined: it contains no event. */
export type Convert = (text: string) => Value | undefined;

/** Words with their values; every other text is no value. Words are compared without regard to case where that keeps them distinct. */
export function meaning(words: readonly (readonly [string, Value])[]): Convert {
  // Of repeated words, the first counts.
  const exact = new Map(words.toReversed());
  const lower = new Map(words.toReversed().map(([word, value]) => [word.toLowerCase(), value]));
  const isPlain = new Set(words.map(([word]) => word.toLowerCase())).size === new Set(words.map(([word]) => word)).size;
  return (text) => {
    const word = text.trim();
    return exact.get(text) ?? exact.get(word) ?? (isPlain ? lower.get(word.toLowerCase()) : undefined) ?? null;
  };
}

/**
 * A number.
 * @param of converts to the property's unit: `null` where the number is no value
 * @param none a text of the entity for no value
 */
export function numberBy(of: (number: number) => number | null = (number) => number, none?: string): Convert {
  return (text) => {
    const number = text === none ? null : readNumber(text);
    const value = typeof number === "number" ? of(number) : null;
    return value === null ? null : tidy(value);
  };
}

/** A number that cannot be outside its range, in the property's unit. */
export function shareBy(of: (number: number) => number, min: number, max: number, none?: string): Convert {
  return numberBy((number) => readShare(of(number), min, max) ?? null, none);
}

/** One of these words. */
export function oneOf(words: readonly string[], none?: string): Convert {
  const known = new Set(words);
  return (text) => (text !== none && known.has(text) ? text : null);
}

/** Any text. */
export const anyText: Convert = (text) => readText(text) ?? null;

/** Removes digits that conversions add, and the sign of a negative zero. */
export function tidy(number: number): number {
  return Math.round(number * 1e6) / 1e6 + 0;
}

/** The value as a number, if the property has one. */
export function asNumber(value: Value | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
