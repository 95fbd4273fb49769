/** The guides: documents of the repository as pages, with links between them as links between the pages. */
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { html } from "./frame/html.ts";
import type { Content } from "./frame/layout.ts";
import { type Document, documentOf, type LinkResolver } from "./frame/markdown.ts";

const ROOT = new URL("../../../", import.meta.url);
/** The address that the documents have where a page has the reader's own. */
const ADDRESS_IN_DOCUMENTS = "http://127.0.0.1:8080";

/** Pages by their address, and the file that each shows. */
const GUIDES: ReadonlyMap<string, string> = new Map([
  ["/docs/first-hour", "docs/first-hour.md"],
  ["/docs/guide", "docs/api.md"],
  ["/docs/webhooks", "docs/webhooks.md"],
  ["/docs/changelog", "CHANGELOG.md"],
  ["/docs/contract/api", "docs/contract/api.md"],
  ["/docs/contract/tunnel", "docs/contract/tunnel.md"],
  ["/docs/contract/device-protocol", "docs/contract/device-protocol.md"],
]);

/** The glossary has a page of its own kind. */
export const GLOSSARY_PATH = "/docs/glossary";
export const GLOSSARY_FILE = "docs/glossary.md";

const PAGES: ReadonlyMap<string, string> = new Map([
  ...[...GUIDES].map(([path, file]) => [file, path] as const),
  [GLOSSARY_FILE, GLOSSARY_PATH],
]);

/** The file of the guide that a path shows. */
export function guideAt(path: string): string | undefined {
  return GUIDES.get(path);
}

/** Every guide with its address. */
export function guidePaths(): readonly (readonly [path: string, file: string])[] {
  return [...GUIDES];
}

/** @param origin the service's address, as it is to stand in what can be pasted */
export async function guidePage(file: string, origin: string): Promise<Content> {
  const { title, body, sections } = await guideDocument(file, origin);
  return {
    title,
    main: html`<h1>${title}</h1>
${body}`,
    sections,
  };
}

export async function guideDocument(file: string, origin: string): Promise<Document> {
  return documentOf(await textOf(file, origin), linksFrom(file));
}

/** @param file from the repository's root */
export async function textOf(file: string, origin: string): Promise<string> {
  return (await readFile(new URL(file, ROOT), "utf8")).replaceAll(ADDRESS_IN_DOCUMENTS, origin);
}

/** Links to other documents lead to their pages, where they have one; what leaves the service is only named. */
export function linksFrom(file: string): LinkResolver {
  return (href) => {
    if (/^[#/]/.test(href)) return href;
    if (/^[a-z]+:/i.test(href)) return undefined;
    const [target = "", anchor] = href.split("#");
    const page = PAGES.get(posix.join(posix.dirname(file), target));
    if (page === undefined) return undefined;
    return anchor === undefined ? page : `${page}#${anchor}`;
  };
}
