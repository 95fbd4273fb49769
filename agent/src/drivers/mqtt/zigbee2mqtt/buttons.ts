/** What a remote control says (`action`): presses of its buttons, each a `Button`; other words are events of the device. */
import { type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Feature } from "./features.ts";

/** How words end or begin that mean a press: `single_left`, `1_double`, `on_press`. */
const PRESSES: Readonly<Record<string, string>> = {
  single: "press",
  press: "press",
  double: "double",
  hold: "long",
  long: "long",
  release: "release",
  press_release: "release",
  hold_release: "release",
  short_release: "release",
  long_release: "release",
};
const KINDS = Object.keys(PRESSES).sort((a, b) => b.length - a.length);
const WORD = new RegExp(`^(?:(?<before>.+?)_)?(?<kind>${KINDS.join("|")})(?:_(?<after>.+))?$`);

interface Press {
  readonly word: string;
  /** Of the button; empty where there is one. */
  readonly button: string;
  readonly event: string;
}

export function actionProperties({ expose, path }: Feature, topic: string): MqttProperty[] {
  const [member = "action"] = path;
  const words = (expose.values ?? []).filter((value) => typeof value === "string");
  const presses = words.flatMap((word) => pressOf(word) ?? []);
  const indexes = buttonIndexes(presses.map(({ button }) => button));
  const event = standardProperty("Button", "event");
  const wordOf = (json: unknown) => (typeof json === "string" ? json : "");
  const buttons = [...new Set(indexes.values())].flatMap((index) => {
    const events = new Map(
      presses.filter(({ button }) => indexes.get(button) === index).map(({ word, event: told }) => [word, told]),
    );
    const told = new Set(events.values());
    const values = (event?.values ?? []).filter((value) => told.has(String(value)));
    if (!event) return [];
    const description: PropertyDescription = { ...event, values };
    return [
      {
        address: { service: "Button", index, property: "event" },
        description,
        state: { topic, read: ({ object }: { object?: object | undefined }) => events.get(wordOf(at(object, member))) },
      },
    ];
  });
  const others = words.filter(
    (word) => word !== "" && word.length <= 64 && !presses.some((press) => press.word === word),
  );
  return others.length === 0 ? buttons : [...buttons, otherActions(others, topic, member)];
}

function otherActions(words: readonly string[], topic: string, member: string): MqttProperty {
  const known = new Set<unknown>(words);
  const read = ({ object }: { object?: object | undefined }) => {
    const word = at(object, member);
    return typeof word === "string" && known.has(word) ? word : undefined;
  };
  return {
    address: { service: "Readings", index: "0", property: "action" },
    description: { property: "action", type: "string", values: words, access: ["notify"] },
    state: { topic, read },
  };
}

function pressOf(word: string): Press | undefined {
  const { before = "", kind, after = "" } = WORD.exec(word)?.groups ?? {};
  const event = kind === undefined ? undefined : PRESSES[kind];
  // Words on both sides are something else: `color_press_up`.
  if (event === undefined || (before !== "" && after !== "")) return undefined;
  return { word, button: (before || after).replace(/^button_/, ""), event };
}

/** Numbers as they are, the only button 0, names from 1 in the order in which they come. */
function buttonIndexes(names: readonly string[]): ReadonlyMap<string, string> {
  const indexes = new Map<string, string>();
  const taken = new Set<string>();
  const give = (name: string, index: string) => {
    indexes.set(name, index);
    taken.add(index);
  };
  for (const name of new Set(names)) {
    if (name === "") give(name, "0");
    else if (/^[1-9]\d?$/.test(name)) give(name, name);
  }
  for (const name of new Set(names)) {
    if (indexes.has(name)) continue;
    let next = 1;
    while (taken.has(String(next))) next += 1;
    give(name, String(next));
  }
  return indexes;
}

function at(object: object | undefined, member: string): unknown {
  return object && Object.hasOwn(object, member) ? Reflect.get(object, member) : undefined;
}
