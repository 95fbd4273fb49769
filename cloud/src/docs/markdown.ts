/** Our own documents from Markdown to HTML: with headings that can be linked to, tables that say what heads what, and code that scrolls. */
import { Marked, type Tokens } from "marked";
import { escaped, Html } from "./html.ts";

export interface Section {
  readonly id: string;
  readonly title: string;
}

export interface Document {
  readonly title: string;
  /** All but the title. */
  readonly body: Html;
  /** Headings of the second level, in order. */
  readonly sections: readonly Section[];
}

/** A document whose first line is its title. */
export function documentOf(markdown: string): Document {
  const sections: Section[] = [];
  const [first = "", ...rest] = markdown.split("\n");
  const body = rendererOf(sections).parse(rest.join("\n"), { async: false });
  return { title: first.replace(/^#\s*/, ""), body: new Html(body), sections };
}

/** A sentence or two: code and links, no blocks. */
export function inline(markdown: string): Html {
  return new Html(rendererOf([]).parseInline(markdown, { async: false }));
}

/** An anchor from a heading: its words in lower case, from the first letter on. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^[^\p{L}]+|-$/gu, "");
}

function rendererOf(sections: Section[]): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const title = text.replaceAll("`", "");
        const id = anchorOf(title);
        if (depth === 2) sections.push({ id, title });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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

/** Code in a box that can be scrolled by the keyboard too. */
export function codeBlock(code: string): Html {
  return new Html(`<pre tabindex="0"><code>${escaped(code)}</code></pre>\n`);
}
