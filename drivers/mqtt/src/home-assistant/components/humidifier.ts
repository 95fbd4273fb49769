/** `humidifier` and `siren`: no standard class covers them; their measurements are standard. */
import { parseRawJson } from "@porchlight/driver-kit";
import { fixedCommand, meaning, oneOf, stateBy, stateOf } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type Part, type PartBinding } from "../entity-parts.ts";
import { currentHumidity, targetHumidity } from "./climate.ts";
import { choice, onOff } from "./settings.ts";

const STATE = { topic: "state_topic", template: "state_value_template" };
const COMMAND = { topic: "command_topic", template: "command_template" };
const ACTIONS = ["off", "humidifying", "drying", "idle"];

export const humidifier: Component = (options) => [
  ...customPart(options.partName("on"), "boolean", onOff(options, STATE, COMMAND)),
  ...currentHumidity(options),
  ...targetHumidity(options, 0, 100),
  ...mode(options),
  ...action(options),
];

function mode(options: EntityOptions): readonly Part[] {
  const values = options.words("modes");
  if (values.length === 0) return [];
  const state = { topic: "mode_state_topic", template: "mode_state_template" };
  const command = { topic: "mode_command_topic", template: "mode_command_template" };
  const binding = choice(options, state, command, values, options.text("payload_reset_mode"));
  return customPart(options.partName("mode"), "string", binding, { values });
}

function action(options: EntityOptions): readonly Part[] {
  const state = stateOf(options, { topic: "action_topic", template: "action_template" }, oneOf(ACTIONS));
  return customPart(options.partName("action"), "string", { state }, { values: ACTIONS });
}

/** Its messages are a word, or JSON with the word as `state`; without a template its commands are JSON. */
export const siren: Component = (options) => {
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  const words = meaning([
    [options.text("state_on") ?? on, true],
    [options.text("state_off") ?? off, false],
  ]);
  const read = options.reader(STATE.template);
  const state = read
    ? stateBy(
        options,
        STATE.topic,
        (payload) => {
          const text = read(payload);
          return text === undefined ? undefined : words(stateIn(text) ?? text);
        },
        read,
      )
    : undefined;
  return customPart(options.partName("on"), "boolean", { state, set: sirenCommand(options, on, off) });
};

function sirenCommand(options: EntityOptions, on: string, off: string): PartBinding["set"] {
  const plain = (payload: string) => (options.has("command_template") ? payload : JSON.stringify({ state: payload }));
  const turnOff = options.has("command_off_template") ? { ...COMMAND, template: "command_off_template" } : COMMAND;
  const [start, end] = [
    fixedCommand(options, COMMAND, plain(on)),
    fixedCommand(options, turnOff, turnOff === COMMAND ? plain(off) : off),
  ];
  if (!start || !end) return undefined;
  return (value, known) => (value === true ? start(value, known) : end(value, known));
}

function stateIn(text: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const read: unknown = parseRawJson(text);
    if (typeof read !== "object" || read === null || !("state" in read)) return undefined;
    return typeof read.state === "string" ? read.state : undefined;
  } catch {
    return undefined;
  }
}
