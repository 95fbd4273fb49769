/** The messages of a remote control (`action`): each of its buttons becomes a `Button`; other words are events of the device. */
import { readOneOf } from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Feature } from "./custom-features.ts";
import type { Members } from "./members.ts";

/** Longest word of an event (tunnel, `describe`). */
const LONGEST_WORD = 64;

/** Prefixes and suffixes of words that mean a press: `single_left`, `1_double`, `on_press`. */
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
  /** The button's name; empty for the only button. */
  readonly button: string;
  readonly event: string;
}

/** The words of an `action`: presses of buttons, and words that are no presses. */
export interface Actions {
  readonly presses: readonly Press[];
  readonly others: readonly string[];
}

export function actionsOf({ expose }: Feature): Actions {
  const words = (expose.values ?? []).filter((value) => typeof value === "string");
  const presses = words.flatMap((word) => pressOf(word) ?? []);
  const others = words.filter(
    (word) => word !== "" && word.length <= LONGEST_WORD && !presses.some((press) => press.word === word),
  );
  return { presses, others };
}

/** @param indexes the buttons' indexes, by name */
export function actionButtonProperties(
  { presses }: Actions,
  path: readonly string[],
  indexes: ReadonlyMap<string, string>,
  members: Members,
): MqttProperty[] {
  const event = standardProperty("Button", "event");
  return [...new Set(presses.map(({ button }) => button))].flatMap((button) => {
    const index = indexes.get(button);
    if (!event || index === undefined) return [];
    const events = presses
      .filter((press) => press.button === button)
      .map((press) => [press.word, press.event] as const);
    const reported = new Set(events.map(([, word]) => word));
    const description: PropertyDescription = {
      ...event,
      values: (event.values ?? []).filter((value) => reported.has(String(value))),
    };
    return [
      {
        address: { service: "Button", index, property: "event" },
        description,
        state: members.state(path, (raw) => wordOf(events, raw)),
      },
    ];
  });
}

/** One event property for the words that are no presses. */
export function otherActions(
  words: readonly string[],
  path: readonly string[],
  address: PropertyAddress,
  members: Members,
): MqttProperty {
  const pairs = words.map((word) => [word, word] as const);
  return {
    address,
    description: { property: address.property, type: "string", values: words, access: ["notify"] },
    state: members.state(path, (raw) => wordOf(pairs, raw)),
  };
}

/** An event of the list; undefined for `""` and null, which follow an event, and for words of other buttons: they end nothing. */
function wordOf(pairs: readonly (readonly [string, string])[], raw: unknown): string | undefined {
  return readOneOf(raw, pairs) ?? undefined;
}

function pressOf(word: string): Press | undefined {
  const { before = "", kind, after = "" } = WORD.exec(word)?.groups ?? {};
  const event = kind === undefined ? undefined : PRESSES[kind];
  // A word with both a prefix and a suffix is no press: `color_press_up`.
  if (event === undefined || (before !== "" && after !== "")) return undefined;
  return { word, button: (before || after).replace(/^button_/, ""), event };
}
