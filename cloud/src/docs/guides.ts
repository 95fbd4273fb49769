/** The guides: documents of the repository's `docs` folder, as pages. */
import { readFile } from "node:fs/promises";
import { html, NOTHING } from "./html.ts";
import type { Content } from "./layout.ts";
import { documentOf } from "./markdown.ts";

const FOLDER = new URL("../../../docs/", import.meta.url);
/** The address that the documents have where a page has the reader's own. */
const ADDRESS_IN_DOCUMENTS = "http://127.0.0.1:8080";

const GUIDES: ReadonlyMap<string, string> = new Map([
  ["/docs/first-hour", "first-hour.md"],
  ["/docs/guide", "api.md"],
  ["/docs/webhooks", "webhooks.md"],
]);

/** Links between the documents as links between the pages. */
const LINKS: readonly (readonly [string, string])[] = [
  ["(first-hour.md", "(/docs/first-hour"],
  ["(api.md", "(/docs/guide"],
  ["(webhooks.md", "(/docs/webhooks"],
];

/** The file of the guide that a path shows. */
export function guideAt(path: string): string | undefined {
  return GUIDES.get(path);
}

/** @param origin the service's address, as it is to stand in what can be pasted */
export async function guidePage(file: string, origin: string): Promise<Content> {
  let text = await readFile(new URL(file, FOLDER), "utf8");
  for (const [from, to] of LINKS) text = text.replaceAll(from, to);
  const { title, body, sections } = documentOf(text.replaceAll(ADDRESS_IN_DOCUMENTS, origin));
  const main = html`<h1>${title}</h1>
${body}`;
  const aside = html`<nav class="on-page" aria-label="On this page">
<p>On this page</p>
<ul>
${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}
</ul>
</nav>`;
  return { title, main, aside: sections.length > 0 ? aside : NOTHING };
}
