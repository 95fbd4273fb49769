/** `valve`: open or closed, also for valves that report a position. */
import { numberIn, parseRawJson } from "@porchlight/driver-kit";
import { commandOf, stateOf } from "../entity-bindings.ts";
import type { EntityOptions } from "../entity-options.ts";
import { standardPart } from "../entity-parts.ts";
import { type Convert, meaning, shareBy } from "../entity-values.ts";
import type { Component } from "./component.ts";
import { openAndClose } from "./cover.ts";

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
    const { position, state } = told(text);
    const at = numberIn(String(position ?? ""));
    if (at === undefined) return words(typeof state === "string" ? state : text);
    const share = shareBy((value) => value, Math.min(ends.closed, ends.open), Math.max(ends.closed, ends.open));
    const within = share(String(at));
    return within === null ? null : within !== ends.closed;
  };
}

function told(text: string): { readonly position?: unknown; readonly state?: unknown } {
  if (!text.startsWith("{")) return { position: text };
  try {
    const read: unknown = parseRawJson(text);
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}
