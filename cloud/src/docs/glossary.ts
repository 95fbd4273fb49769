/** The glossary as a page with an anchor for each word, and as data for the places that explain a word where it stands. */
import { html } from "./frame/html.ts";
import type { Content } from "./frame/layout.ts";
import { anchorOf, inline } from "./frame/markdown.ts";
import { GLOSSARY_FILE, linksFrom, textOf } from "./guides.ts";

export interface Word {
  /** As in the address: `/docs/glossary#ID`. */
  readonly id: string;
  readonly word: string;
  /** In Markdown. */
  readonly meaning: string;
}

/** The rows of the table. Pure. */
export function wordsIn(markdown: string): readonly Word[] {
  const rows = markdown.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(1).flatMap((line) => {
    const [, word = "", meaning = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return meaning === "" ? [] : [{ id: anchorOf(word), word, meaning }];
  });
}

export async function words(): Promise<readonly Word[]> {
  return wordsIn(await textOf(GLOSSARY_FILE, ""));
}

/** A meaning without its marks and links: the references in brackets are for the page. */
export function plainMeaning({ meaning }: Word): string {
  return meaning
    .replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "");
}

export async function glossaryPage(): Promise<Content> {
  const resolve = linksFrom(GLOSSARY_FILE);
  const main = html`<h1>Glossary</h1>
<p class="lead">Each word has one meaning in the API, the portal, the console and the documents. Links lead to the full definition.</p>
<dl class="fields">
${(await words()).map(({ id, word, meaning }) => html`<div id="${id}"><dt>${word}</dt><dd>${inline(meaning, resolve)}</dd></div>`)}
</dl>`;
  return { title: "Glossary", main };
}
