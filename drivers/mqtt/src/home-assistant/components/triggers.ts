/** `device_automation`: triggers, each a message on a topic. The triggers of one button on one topic form one Button. */
import { type ButtonEvent, buttonEventOf, isNoValue } from "@porchlight/driver-kit";
import { standardProperty } from "@porchlight/shared/model";
import type { EntityOptions } from "../entity-options.ts";
import { eventPart, type Part } from "../entity-parts.ts";
import type { TextReader } from "../templates.ts";

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
  const said = new Set<unknown>(triggers.map(({ event }) => event.word));
  const { property, type, values = [] } = standard;
  const narrowed = { property, type, values: values.filter((value) => said.has(value)) };
  const { topic, event } = first;
  return [{ button: event.button, topic, parts: [eventPart("Button", "", narrowed, { topic, read })] }];
}
