/** Renders the repository's documents from Markdown to HTML: headings with anchors, tables with header cells, and code that scrolls. */
import { Marked, type Tokens } from "marked";

export interface Section {
  readonly id: string;
  readonly title: string;
}

export interface Document {
  readonly title: string;
  /** The content without the title. */
  readonly body: Html;
  /** Headings of the second level, in order. */
  readonly sections: readonly Section[];
}

/** Resolves a link of a document to a page; undefined: there is no page, and only the link's text is shown. */
export type LinkResolver = (href: string) => string | undefined;

/** Keeps links unchanged, in texts whose links already name pages. */
const AS_IT_IS: LinkResolver = (href) => href;

/** Parses a document whose first line is its title. */
export function documentOf(markdown: string, resolve: LinkResolver): Document {
  const sections: Section[] = [];
  const [first = "", ...rest] = markdown.split("\n");
  const body = rendererOf(sections, resolve).parse(rest.join("\n"), { async: false });
  return { title: first.replace(/^#\s*/, ""), body: new Html(body), sections };
}

/** Renders a sentence or two: code and links, no blocks. */
export function inline(markdown: string, resolve: LinkResolver = AS_IT_IS): Html {
  return new Html(rendererOf([], resolve).parseInline(markdown, { async: false }));
}

/** The anchor of a heading: its words in lower case, from the first letter on. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^[^\p{L}]+|-$/gu, "");
}

function rendererOf(sections: Section[], resolve: LinkResolver): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const title = text.replaceAll("`", "");
        const id = anchorOf(title);
        if (depth === 2) sections.push({ id, title });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        const to = resolve(href);
        return to === undefined ? words : `<a href="${escaped(to)}">${words}</a>`;
      },
      checkbox({ checked }: Tokens.Checkbox) {
        return checked ? "☑ " : "☐ ";
      },
      code({ text }: Tokens.Code) {
        return codeBlock(text).text;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: (at: number) => string, close: (at: number) => string) =>
          row.map(({ tokens }, at) => `<${tag(at)}>${this.parser.parseInline(tokens)}</${close(at)}>`).join("");
        const head = cells(
          header,
          () => 'th scope="col"',
          () => "th",
        );
        const body = rows.map((row) => {
          const inRow = cells(
            row,
            (at) => (at === 0 ? 'th scope="row"' : "td"),
            (at) => (at === 0 ? "th" : "td"),
          );
          return `<tr>${inRow}</tr>`;
        });
        const title = escaped(header.map(({ text }) => text.replaceAll("`", "")).join(", "));
        const table = `<table><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table>`;
        return `<section class="wide" tabindex="0" aria-label="Table: ${title}">${table}</section>\n`;
      },
    },
  });
}

/**
 * A code box that the keyboard can scroll too, with a button that copies it.
 * @param label names the copied text for screen readers
 */
export function codeBlock(code: string | Html, label = "code"): Html {
  return new Html(
    `<div class="code"><pre tabindex="0"><code>${typeof code === "string" ? escaped(code) : code.text}</code></pre>` +
      `<button type="button" class="copy" aria-label="Copy ${label}" hidden>Copy</button></div>\n`,
  );
}

/** Renders a placeholder `‹deviceId›` as `DEVICE_ID`: the portal finds it by `data-name`. */
export function namesIn(text: string): Html {
  const parts = text.split(/\u2039(\w+)\u203a/);
  return new Html(parts.map((part, at) => (at % 2 === 0 ? escaped(part) : variable(part))).join(""));
}

function variable(name: string): string {
  return `<var data-name="${name}">${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}</var>`;
}

/** Safe HTML: made by {@link html}, the only place that builds tags, or from the Markdown of the repository's documents. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** A template tag that escapes every inserted value, unless that is Html already. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(fixed.map((text, at) => text + (at < parts.length ? partText(parts[at] ?? "") : "")).join(""));
}

export const NOTHING = new Html("");

function partText(part: Part): string {
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(({ text }) => text).join("\n") : escaped(String(part));
}

/** Escapes text for element content and quoted attributes. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
