/** Long names on a page: both ends are to be seen, and nothing scrolls sideways to show them. */
import type { Page } from "playwright-core";
import { ENDS } from "./hostile.ts";

/** Names on a page, or in the dialog on top of it, that are cut at an end or hidden behind something, one line each. */
export function cutNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${CUT})(${JSON.stringify(ENDS)})`);
}

/** Parts of a page that scroll sideways, one line each; code of a document may. */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${SIDEWAYS})()`);
}

/** A function for the browser, whose types are not those of the tests. */
const CUT = `([first, last]) => {
  const texts = document.createTreeWalker([...document.querySelectorAll("[role=dialog]")].at(-1) ?? document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    const from = data.indexOf(first);
    if (from < 0 || parentElement.closest("script, style, pre, textarea, .unseen, option, title")) continue;
    if (!parentElement.checkVisibility({ visibilityProperty: true })) continue;
    // The menu of a phone is closed, though it may still be on its way out of sight.
    const menu = parentElement.closest('[data-open="false"]');
    if (menu && getComputedStyle(menu).position === "fixed") continue;
    const where = parentElement.tagName.toLowerCase() + "." + String(parentElement.parentElement.className).split(" ").at(-1);
    const to = data.indexOf(last, from);
    if (to < 0) {
      found.push(where + " has no end: " + data.slice(from, from + 20) + "…" + data.slice(-10));
      continue;
    }
    const hidden = [[from, first], [to, last]].filter(([at, word]) => {
      const range = document.createRange();
      range.setStart(texts.currentNode, at);
      range.setEnd(texts.currentNode, at + word.length);
      parentElement.scrollIntoView({ block: "center", behavior: "instant" });
      let box = range.getClientRects()[0];
      if (!box) return false;
      if (box.top < 60 || box.bottom > innerHeight) scrollBy({ top: box.top - innerHeight / 2, behavior: "instant" });
      box = range.getClientRects()[0];
      const at2 = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      const link = parentElement.closest("a, button, label, [role=option]") ?? parentElement;
      return !(at2 && (link.contains(at2) || at2.contains(parentElement)));
    });
    for (const [, word] of hidden) found.push(where + " hides " + word + " of " + data.slice(from, from + 20) + "…");
  }
  return found;
}`;

const SIDEWAYS = `() =>
  [...document.querySelectorAll("main *")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(each).overflowX))
    .filter((each) => !each.matches("pre, textarea, input"))
    .map((each) => each.tagName.toLowerCase() + "." + each.className + " scrolls by " + (each.scrollWidth - each.clientWidth) + " px")`;
