/** HTML as text: what goes into a page is escaped here, and nowhere else is a tag put together. */

/** HTML that is as it should be: made by {@link html}, or by the Markdown of our own documents. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** A template: what is filled in is escaped, unless it is HTML already. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(fixed.map((text, at) => text + (at < parts.length ? partText(parts[at] ?? "") : "")).join(""));
}

export const NOTHING = new Html("");

function partText(part: Part): string {
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(({ text }) => text).join("\n") : escaped(String(part));
}

/** Text as it stands between tags and in quoted attributes. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
