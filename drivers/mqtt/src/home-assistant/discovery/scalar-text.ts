/** Texts of discovery messages as Home Assistant has them: numbers and truth values where a text belongs are spelt as Python spells them. */

/** `true` is `True`: a template that gives the same truth value gives the same word. */
export function scalarText(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}

/** A text that people can be shown: without what moves the cursor or turns the line around; undefined when nothing is left. */
export function shownText(text: string | undefined, longest: number): string | undefined {
  const plain = text?.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "").trim();
  return plain === undefined || plain === "" ? undefined : [...plain].slice(0, longest).join("");
}
