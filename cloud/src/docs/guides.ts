/** Guides: documents of the repository served as pages, with links between documents as links between pages. */
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import type { Content } from "./layout.ts";
import { type Document, documentOf, html, type LinkResolver } from "./markdown.ts";

/** Root of the repository, whose documents are the guides; links between them become links between pages. */
const ROOT = new URL("../../../", import.meta.url);

/** The origin in the documents, replaced by that of the request. */
const ADDRESS_IN_DOCUMENTS = "http://127.0.0.1:8080";

/** The file of each guide, by its path. */
const GUIDES: ReadonlyMap<string, string> = new Map([
  ["/docs/first-hour", "docs/first-hour.md"],
  ["/docs/guide", "docs/api.md"],
  ["/docs/webhooks", "docs/webhooks.md"],
  ["/docs/changelog", "CHANGELOG.md"],
  ["/docs/contract/api", "docs/contract/api.md"],
  ["/docs/contract/tunnel", "docs/contract/tunnel.md"],
  ["/docs/contract/device-protocol", "docs/contract/device-protocol.md"],
]);

/** The glossary's page has its own layout. */
export const GLOSSARY_PATH = "/docs/glossary";

export const GLOSSARY_FILE = "docs/glossary.md";

const PAGES: ReadonlyMap<string, string> = new Map([
  ...[...GUIDES].map(([path, file]) => [file, path] as const),
  [GLOSSARY_FILE, GLOSSARY_PATH],
]);

/** The file of the guide at a path. */
export function guideAt(path: string): string | undefined {
  return GUIDES.get(path);
}

/** Every guide with its path. */
export function guidePaths(): readonly (readonly [path: string, file: string])[] {
  return [...GUIDES];
}

/** @param origin of the service, for examples that readers paste */
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

/** Resolves links to other documents to their pages, where they have one; other targets become plain text. */
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
