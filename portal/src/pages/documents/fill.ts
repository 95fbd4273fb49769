/** The reader's own names put into a document, and the code in it as it is copied. */
import type { OwnNames } from "./names.ts";

const TOKEN = "token";
/** On the screen in the place of the token. */
const MASKED_TOKEN = "plt_acc_••••••••";

/** Replaces the names that are known, in place. @param names without the token, which is only shown masked */
export function fillIn(content: Element, names: OwnNames): void {
  for (const each of content.querySelectorAll<HTMLElement>("var[data-name]")) {
    const name = each.dataset.name ?? "";
    const value = name === TOKEN ? MASKED_TOKEN : names[name];
    if (value !== undefined) each.textContent = value;
  }
}

/** What is copied of a piece of code: the token stands in it whole. The page itself never holds it. */
export function codeText(code: Element, token: string | undefined): string {
  const copy = code.cloneNode(true);
  if (copy instanceof Element && token !== undefined)
    for (const each of copy.querySelectorAll(`var[data-name="${TOKEN}"]`)) each.textContent = token;
  return copy.textContent ?? "";
}

/** A text with `‹name›` in it: what is not known stands there as it does in the document, `NAME`. */
export function withNames(text: string, names: OwnNames): string {
  return text.replaceAll(/‹(\w+)›/g, (_, name: string) => names[name] ?? upper(name));
}

function upper(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
