/** Reads what a page says to a user who hears it: each text with where it stands, what it is about and the moment that it names. */
import type { Page } from "playwright-core";

/** An element with text of its own, or a switch. */
export interface Piece {
  readonly text: string;
  /** ID of the device, hub, webhook or delivery that its row or fact links to; undefined: what the whole page is about. */
  readonly subject?: string;
  /** The term of its fact, or the column of its cell. */
  readonly label?: string;
  /** Text of the element around it. */
  readonly context?: string;
  /** Of a moment, as ISO 8601. */
  readonly datetime?: string;
  /** `SERVICE:INDEX.PROPERTY` of a value. */
  readonly property?: string;
  /** How a write ended, where that stands. */
  readonly outcome?: string;
  /** Of a switch. */
  readonly isOn?: boolean;
  /** It shows what was asked for, and says so. */
  readonly isPending?: boolean;
}

export interface PageRead {
  /** ms since 1970, when it was read. */
  readonly at: number;
  readonly path: string;
  readonly pieces: readonly Piece[];
}

/** A string, because it is the page's own language: nothing of this process is there. */
const READ = `(async () => {
  // A page that had no processor for a while first does what is overdue: its timers, and the drawing that follows from them.
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done));
  const ABOUT = /\\/(?:devices|hubs|webhooks|deliveries)\\/([a-z]+_[0-9a-z]+)$/;
  const about = (link) => ABOUT.exec(link.pathname)?.[1];
  const clean = (element) => (element?.textContent ?? "").replace(/\\s+/g, " ").trim();
  const subjectOf = (element) => {
    for (let each = element; each && !/^(SECTION|MAIN|BODY)$/.test(each.tagName) && !each.querySelector("h1"); each = each.parentElement) {
      const links = [...(each.matches("a[href]") ? [each] : []), ...each.querySelectorAll("a[href]")];
      const found = links.map(about).find((id) => id !== undefined);
      if (found || each.matches("dd, li, tr, [role=alert], [role=status]")) return found;
    }
  };
  const labelOf = (element) => {
    const term = element.closest("dd")?.previousElementSibling;
    return term ? clean(term) : (element.closest("td")?.dataset.name ?? undefined);
  };
  const pieceOf = (element) => ({
    text: clean(element),
    subject: subjectOf(element),
    label: labelOf(element),
    context: clean(element.parentElement).slice(0, 300),
    datetime: element.closest("time")?.getAttribute("datetime") ?? undefined,
    property: element.tagName !== "BDI" ? undefined : /^\\w+:\\w+\\.\\w+$/.exec(element.closest("[title]")?.title ?? "")?.[0],
    outcome: element.closest("[data-outcome]")?.tagName === "STRONG" ? element.closest("[data-outcome]").dataset.outcome : undefined,
  });
  const isHeard = (element) => element.checkVisibility() && !element.closest('[aria-hidden="true"]');
  const hasOwnText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const roots = [...document.querySelectorAll("main, header")];
  const elements = roots.flatMap((root) => [...root.querySelectorAll("*")]).filter(isHeard);
  const texts = elements.filter(hasOwnText).map(pieceOf);
  const switches = elements.filter((each) => each.matches('input[role="switch"]')).map((each) => ({
    text: each.getAttribute("aria-label") ?? "",
    subject: subjectOf(each),
    isOn: each.checked,
    isPending: each.closest("[data-pending]") !== null || /setting to|waits for the hub/.test(clean(each.closest("section, li, tr"))),
  }));
  return { at: Date.now(), path: location.pathname, pieces: [...texts, ...switches] };
})()`;

export function readPage(page: Page): Promise<PageRead> {
  return page.evaluate<PageRead>(READ);
}
