/**
 * `event` and `device_automation`: buttons with the catalogue's words, and all other events with their own. The triggers of one button on
 * several topics form one property.
 */
import { type ButtonEvent, buttonEventOf, isNoValue, parseRawJson } from "@porchlight/driver-kit";
import { standardProperty } from "@porchlight/shared/model";
import { stateOf } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { eventPart, type Part, READINGS } from "../entity-parts.ts";
import type { TextReader } from "../templates.ts";

export const event: Component = (options) => {
  const types = options.words("event_types");
  const presses = new Map<string, ButtonEvent>();
  for (const type of types) {
    const press = buttonEventOf(type);
    if (press) presses.set(type, press);
  }
  const buttons = [...new Set([...presses.values()].map(({ button }) => button))].sort();
  const others = types.filter((type) => !presses.has(type));
  return [
    ...buttons.flatMap((button) => {
      const ofButton = [...presses].filter(([, press]) => press.button === button);
      return buttonPart(options, button, new Map(ofButton.map(([type, { word }]) => [type, word])));
    }),
    ...(others.length > 0 ? ownEvents(options, others) : []),
  ];
};

function buttonPart(options: EntityOptions, button: string, words: ReadonlyMap<string, string>): readonly Part[] {
  const standard = standardProperty("Button", "event");
  const state = eventState(options, (type) => words.get(type));
  if (!standard || !state) return [];
  const { property, type, values = [] } = standard;
  const stated = new Set(words.values());
  return [
    eventPart("Button", button, { property, type, values: values.filter((value) => stated.has(String(value))) }, state),
  ];
}

function ownEvents(options: EntityOptions, types: readonly string[]): readonly Part[] {
  const known = new Set(types);
  const state = eventState(options, (type) => (known.has(type) ? type : undefined));
  if (!state) return [];
  const { name: property, role } = options.partName();
  return [eventPart(READINGS, role, { property, type: "string", values: types }, state)];
}

/** Messages are objects with an `event_type`. */
function eventState(options: EntityOptions, convert: (type: string) => string | undefined) {
  return stateOf(options, { topic: "state_topic", template: "value_template" }, (text) => {
    const type = eventTypeIn(text);
    return type === undefined ? undefined : convert(type);
  });
}

function eventTypeIn(text: string): string | undefined {
  try {
    const read: unknown = parseRawJson(text);
    if (typeof read !== "object" || read === null || !("event_type" in read)) return undefined;
    return typeof read.event_type === "string" ? read.event_type : undefined;
  } catch {
    return undefined;
  }
}

interface Trigger {
  readonly topic: string;
  readonly read: TextReader;
  /** The payload that triggers; undefined when every message on the topic does. */
  readonly payload: string | undefined;
  readonly event: ButtonEvent;
}

/** A button that several triggers describe. */
interface TriggerButton {
  /** The button's name in the triggers. */
  readonly button: string;
  readonly topic: string;
  readonly parts: readonly Part[];
}

/** The buttons of all triggers of a device, in the order of their first triggers. */
export function triggerButtons(triggers: readonly EntityOptions[]): readonly TriggerButton[] {
  const buttons = new Map<string, Trigger[]>();
  for (const options of triggers) {
    const trigger = triggerOf(options);
    if (!trigger) continue;
    const key = `${trigger.event.button} ${trigger.topic}`;
    buttons.set(key, [...(buttons.get(key) ?? []), trigger]);
  }
  return [...buttons.values()].flatMap(buttonOf);
}

function triggerOf(options: EntityOptions): Trigger | undefined {
  const [type, subtype] = [options.text("type") ?? "", options.text("subtype") ?? ""];
  const event = eventOf(type, subtype);
  if (!event) {
    options.leaveAside("otherTrigger");
    return undefined;
  }
  const topic = options.topic("topic");
  const read = options.reader("value_template");
  if (topic === undefined || !read) return undefined;
  return { topic, read, payload: options.text("payload"), event };
}

/** The type names the press and the subtype the button; zigbee2mqtt's `action` has both in the subtype. */
function eventOf(type: string, subtype: string): ButtonEvent | undefined {
  const byType = buttonEventOf(type);
  return byType ? { ...byType, button: subtype } : buttonEventOf(subtype);
}

function buttonOf(triggers: readonly Trigger[]): readonly TriggerButton[] {
  const standard = standardProperty("Button", "event");
  const [first] = triggers;
  if (!standard || !first) return [];
  const read: TextReader = (payload) =>
    triggers.find((trigger) => {
      const text = trigger.read(payload);
      return trigger.payload === undefined ? text !== undefined && !isNoValue(text) : text === trigger.payload;
    })?.event.word;
  const stated = new Set<unknown>(triggers.map(({ event }) => event.word));
  const { property, type, values = [] } = standard;
  const narrowed = { property, type, values: values.filter((value) => stated.has(value)) };
  const { topic, event } = first;
  return [{ button: event.button, topic, parts: [eventPart("Button", "", narrowed, { topic, read })] }];
}
