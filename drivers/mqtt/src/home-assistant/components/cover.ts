/** `cover` and `valve`: position and movement, open or closed, and settings for the parts without a standard property. */
import { numberIn, parseRawJson } from "@porchlight/driver-kit";
import { type Convert, commandOf, fixedCommand, meaning, shareBy, stateOf, tidy } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type Part, type PartBinding, standardPart } from "../entity-parts.ts";

const STATE = { topic: "state_topic", template: "value_template" };
const COMMAND = { topic: "command_topic" };

export const cover: Component = (options) => [
  ...position(options),
  ...standardPart("Cover", "movement", { state: movement(options) }),
  ...stop(options),
  ...tilt(options),
];

/** The commands that open and close a cover or a valve; undefined where it has no such command. */
function openAndClose(options: EntityOptions): { readonly open?: string; readonly close?: string } {
  return {
    ...(options.isNull("payload_open") ? {} : { open: options.text("payload_open") ?? "OPEN" }),
    ...(options.isNull("payload_close") ? {} : { close: options.text("payload_close") ?? "CLOSE" }),
  };
}

function position(options: EntityOptions): readonly Part[] {
  const [closed, open] = [options.number("position_closed") ?? 0, options.number("position_open") ?? 100];
  const span = open - closed;
  if (span === 0) {
    options.leaveAside("badOption", "open and closed are the same position");
    return [];
  }
  const reported = options.has("position_topic");
  const state = reported
    ? stateOf(
        options,
        { topic: "position_topic", template: "position_template" },
        shareBy((at) => ((at - closed) * 100) / span, 0, 100),
      )
    : openOrClosed(options);
  if (options.has("set_position_topic")) {
    const set = commandOf(options, { topic: "set_position_topic", template: "set_position_template" }, (value) => {
      const at = Math.round(closed + (Number(value) * span) / 100);
      return { value: at, position: at, position_open: open, position_closed: closed };
    });
    const tolerance = tidy(50 / Math.abs(span));
    return standardPart("Cover", "position", { state, set, tolerance }, reported ? {} : { step: 100 });
  }
  return ends(options, state, reported);
}

/** A cover that can only open or close fully: a step of 100 where it reports more than that, otherwise the two values. */
function ends(options: EntityOptions, state: PartBinding["state"], reported: boolean): readonly Part[] {
  const { open, close } = openAndClose(options);
  const can = [...(close === undefined ? [] : [0]), ...(open === undefined ? [] : [100])];
  const set =
    can.length === 0
      ? undefined
      : commandOf(options, COMMAND, (value) => ({ value: (value === 100 ? open : close) ?? "" }));
  if (!reported && state && can.length === 2) {
    const all = { values: [0, 100] };
    const target = { state: openOrClosed(options, MOVING), set };
    return [...standardPart("Cover", "position", { state }, all), ...standardPart("Cover", "target", target, all)];
  }
  const narrower = reported ? { step: 100 } : { values: state ? [0, 100] : can };
  // A value that cannot be set must not be accepted: the property is then read-only.
  const binding = can.length === 2 || !state ? { state, set } : { state };
  return standardPart("Cover", "position", binding, binding.set || !reported ? narrower : {});
}

/** Words for a moving cover, and where the movement ends. */
const MOVING = [
  ["state_opening", "opening", 100],
  ["state_closing", "closing", 0],
] as const;
const AT_REST = [
  ["state_open", "open", 100],
  ["state_closed", "closed", 0],
] as const;

function openOrClosed(options: EntityOptions, more: typeof MOVING | readonly [] = []): PartBinding["state"] {
  const words = [...AT_REST, ...more].map(([key, word, at]) => [options.text(key) ?? word, at] as const);
  return stateOf(options, STATE, meaning(words));
}

function movement(options: EntityOptions): PartBinding["state"] {
  const word = (key: string, otherwise: string) => options.text(key) ?? otherwise;
  return stateOf(
    options,
    STATE,
    meaning([
      [word("state_opening", "opening"), "opening"],
      [word("state_closing", "closing"), "closing"],
      ...[word("state_open", "open"), word("state_closed", "closed"), word("state_stopped", "stopped")].map(
        (each) => [each, "stopped"] as const,
      ),
    ]),
  );
}

function stop(options: EntityOptions): readonly Part[] {
  if (options.isNull("payload_stop")) return [];
  const set = fixedCommand(options, COMMAND, options.text("payload_stop") ?? "STOP");
  return customPart(options.partName("stop"), "boolean", { set }, { values: [true] });
}

/** In the device's own numbers: they need not be an angle. */
function tilt(options: EntityOptions): readonly Part[] {
  const [min, max] = [options.number("tilt_min") ?? 0, options.number("tilt_max") ?? 100];
  if (!options.has("tilt_command_topic") || min > max) return [];
  const state = stateOf(
    options,
    { topic: "tilt_status_topic", template: "tilt_status_template" },
    shareBy((at) => at, min, max),
  );
  const set = commandOf(options, { topic: "tilt_command_topic", template: "tilt_command_template" }, (value) => {
    const to = Math.round(Number(value));
    return { value: to, tilt_position: to, tilt_min: min, tilt_max: max };
  });
  return customPart(options.partName("tilt"), "number", { state, set, tolerance: 0.5 }, { min, max });
}

export const valve: Component = (options) => {
  const { open, close } = openAndClose(options);
  const byPosition = options.flag("reports_position") ?? false;
  const [isClosed, isOpen] = [options.number("position_closed") ?? 0, options.number("position_open") ?? 100];
  const [yes, no] = byPosition ? [isOpen, isClosed] : [open, close];
  const canSet = yes !== undefined && no !== undefined;
  const set = canSet
    ? commandOf(options, { topic: "command_topic", template: "command_template" }, (value) => ({
        value: value === true ? yes : no,
      }))
    : undefined;
  const convert = openOf(options, byPosition ? { closed: isClosed, open: isOpen } : undefined);
  const state = stateOf(options, { topic: "state_topic", template: "value_template" }, convert);
  return standardPart("Valve", "open", { state, set });
};

/** Messages are a word, a position, or both as JSON. @param ends positions of a valve that reports them */
function openOf(options: EntityOptions, ends: { readonly closed: number; readonly open: number } | undefined): Convert {
  const words = meaning([
    [options.text("state_open") ?? "open", true],
    [options.text("state_closed") ?? "closed", false],
  ]);
  return (text) => {
    if (!ends) return words(text);
    const { position, state } = reported(text);
    const at = numberIn(String(position ?? ""));
    if (at === undefined) return words(typeof state === "string" ? state : text);
    const share = shareBy((value) => value, Math.min(ends.closed, ends.open), Math.max(ends.closed, ends.open));
    const within = share(String(at));
    return within === null ? null : within !== ends.closed;
  };
}

function reported(text: string): { readonly position?: unknown; readonly state?: unknown } {
  if (!text.startsWith("{")) return { position: text };
  try {
    const read: unknown = parseRawJson(text);
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}
