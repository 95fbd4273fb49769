/** What a thumb would miss: controls that are not pressed over 44 CSS pixels, wide and high. */
import type { Page } from "playwright-core";

/** As WCAG 2.5.5 has it, CSS px. */
const SIDE = 44;

/**
 * Controls on a page as it stands, or in what is open on top of it, that are too small, one line each. A link in a sentence or in a list of
 * words may be as small as the words are. A link or a button that stands alone may be smaller where a circle of that width around it
 * touches no other control (2.5.8).
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${FOUND})(${SIDE})`);
}

/** A function for the browser, whose types are not those of the tests. */
const FOUND = String.raw`(side) => {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0'][role], [role=option], [role=menuitem]";
  // Where else a press means the control: around a slider's thumb, and around the words that a field holds as pills.
  const AROUND = "[class*=wheel], .mantine-Input-wrapper:has(.mantine-PillsInputField-field)";
  const boxOf = (each) => each.getBoundingClientRect();
  const isThere = (each) => boxOf(each).width > 1 && boxOf(each).height > 1;
  // Heads of tables, for example, are only read out on a phone.
  const isSeen = (each) => each === null || (getComputedStyle(each).clipPath === "none" && isSeen(each.parentElement));
  const open = [...document.querySelectorAll("[role=dialog], [role=listbox], [role=menu]")].filter(isThere);
  const controls = [...(open.at(-1) ?? document).querySelectorAll(CONTROLS)].filter((control) =>
    control.checkVisibility({ visibilityProperty: true }) && isThere(control) && isSeen(control) &&
    control.closest("[inert], [aria-hidden=true]") === null && control.tabIndex !== -1);
  const areasOf = (control) => [control, ...(control.labels ?? []), control.closest(AROUND)].filter(Boolean);
  const isHit = (control, x, y) => {
    const at = document.elementFromPoint(x, y);
    return at !== null && areasOf(control).some((each) => each.contains(at));
  };
  const isPressed = (control, area) => {
    const { left, top, width, height } = boxOf(area);
    const [x, y, reach] = [left + width / 2, top + height / 2, side / 2 - 1];
    return (width >= side - 0.5 || (isHit(control, x - reach, y) && isHit(control, x + reach, y))) &&
      (height >= side - 0.5 || (isHit(control, x, y - reach) && isHit(control, x, y + reach)));
  };
  const isInText = (control) => {
    const around = control.parentElement?.closest("p, li, dd, td, div, section, header");
    if (!around || !getComputedStyle(control).display.startsWith("inline")) return false;
    const copy = around.cloneNode(true);
    for (const each of copy.querySelectorAll("a, button, svg, select, input, label, .unseen, code")) each.remove();
    return /[\p{L},]/u.test(copy.textContent);
  };
  const isAlone = (control) => {
    if (!control.matches("a, button, summary")) return false;
    const { left, top, width, height } = boxOf(control);
    const [x, y] = [left + width / 2, top + height / 2];
    return controls.every((other) => {
      if (other.contains(control) || control.contains(other)) return true;
      const box = boxOf(other);
      return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)) >= side / 2 - 0.5;
    });
  };
  return controls.flatMap((control) => {
    const { width, height } = boxOf(control);
    if (width >= side - 0.5 && height >= side - 0.5) return [];
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    if (areasOf(control).some((area) => isPressed(control, area)) || isInText(control) || isAlone(control)) return [];
    const name = (control.getAttribute("aria-label") ?? control.textContent).trim().slice(0, 40);
    const kind = control.tagName.toLowerCase() + "." + String(control.className).split(" ").at(-1);
    return [kind + ' "' + name + '" is ' + Math.round(width) + " by " + Math.round(height) + " px"];
  });
}`;
