/** `event`: buttons with the catalogue's words, and all other events with their own. */
import { type ButtonEvent, buttonEventOf, parseRawJson } from "@porchlight/driver-kit";
import { standardProperty } from "@porchlight/shared/model";
import { stateOf } from "../entity-bindings.ts";
import type { EntityOptions } from "../entity-options.ts";
import { eventPart, type Part, READINGS } from "../entity-parts.ts";
import type { Component } from "./component.ts";

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
  const said = new Set(words.values());
  return [
    eventPart("Button", button, { property, type, values: values.filter((value) => said.has(String(value))) }, state),
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
