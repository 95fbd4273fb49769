/** Maps devices' names for button presses to the events of the catalogue's Button, and finds the number of the button. */

export type ButtonWord = "press" | "release" | "double" | "long";

const WORDS: Readonly<Record<string, ButtonWord>> = {
  press: "press",
  pressed: "press",
  single: "press",
  single_press: "press",
  singlepress: "press",
  single_push: "press",
  short: "press",
  short_press: "press",
  click: "press",
  single_click: "press",
  on_press: "press",
  button_short_press: "press",
  release: "release",
  released: "release",
  hold_release: "release",
  long_release: "release",
  button_short_release: "release",
  button_long_release: "release",
  double: "double",
  double_press: "double",
  doublepress: "double",
  double_push: "double",
  double_click: "double",
  button_double_press: "double",
  hold: "long",
  long: "long",
  long_press: "long",
  longpress: "long",
  long_push: "long",
  long_click: "long",
  button_long_press: "long",
};

export interface ButtonEvent {
  /** Empty when the device does not state which. */
  readonly button: string;
  readonly word: ButtonWord;
}

/** Undefined when the catalogue has no such event. `2_double` and `button_2_double` belong to button 2. */
export function buttonEventOf(given: string): ButtonEvent | undefined {
  const text = given.toLowerCase().replaceAll(/[\s-]+/g, "_");
  const whole = wordOf(text);
  if (whole) return { button: "", word: whole };
  // The longest matching suffix wins: `1_long_release` is not the `release` of `1_long`.
  for (let at = text.indexOf("_"); at >= 0; at = text.indexOf("_", at + 1)) {
    const word = wordOf(text.slice(at + 1));
    if (word) return { button: text.slice(0, at), word };
  }
  return undefined;
}

function wordOf(text: string): ButtonWord | undefined {
  return Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
}
