/** All pages of the documents by their path. A page is made on its first request, and cached. */

import { ERRORS, type ErrorName, errorPath } from "@porchlight/shared/kernel";
import { type Page, type Pages, packed, type Reader } from "../http/index.ts";
import {
  GLOSSARY_FILE,
  GLOSSARY_PATH,
  guideAt,
  guideDocument,
  guidePage,
  guidePaths,
  linksFrom,
  textOf,
} from "./guides.ts";
import { Assets, type Content, pageOf } from "./layout.ts";
import { anchorOf, html, inline } from "./markdown.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./reference/operations.ts";
import {
  ERRORS_PATH,
  errorAt,
  errorList,
  errorPage,
  operationPage,
  operationPath,
  REFERENCE_PATH,
  referencePage,
} from "./reference/pages.ts";

/** Pages cached. The request's origin is part of a page, so there could be any number. */
const MOST_KEPT = 500;

interface Reference {
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  readonly byPath: ReadonlyMap<string, Operation>;
}

export class Docs implements Pages {
  readonly #assets = new Assets();
  readonly #kept = new Map<string, Promise<Page>>();
  readonly #document: () => object;
  #reference: Reference | undefined;

  /** @param document makes the OpenAPI document: called once, on the first request of a reference page */
  constructor(document: () => object) {
    this.#document = document;
  }

  async find(path: string, { origin }: Reader): Promise<Page | undefined> {
    const asset = await this.#assets.find(path);
    if (asset) return asset;
    if (path === INDEX_PATH) return this.#once("", path, () => this.#index());
    const content = this.#contentAt(path);
    return content && this.#page(path, origin, content);
  }

  notFound(_path: string, { origin }: Reader): Promise<Page> {
    return this.#page("", origin, notFoundPage);
  }

  #page(path: string, origin: string, content: Maker): Promise<Page> {
    return this.#once(origin, path, async () => pageOf(this.#assets, path, await content(origin)));
  }

  #once(origin: string, path: string, make: () => Promise<Page>): Promise<Page> {
    const key = `${origin} ${path}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const page = make();
    this.#kept.set(key, page);
    page.catch(() => this.#kept.delete(key));
    return page;
  }

  async #index(): Promise<Page> {
    const body = Buffer.from(JSON.stringify(await documentIndex(this.#read().operations)));
    return packed(body, { status: 200, type: "application/json; charset=utf-8", isImmutable: false });
  }

  #contentAt(path: string): Maker | undefined {
    if (path === "/") return frontPage;
    if (path === ERRORS_PATH) return errorList;
    if (path === GLOSSARY_PATH) return glossaryPage;
    const name = errorAt(path);
    if (name) return (origin) => errorPage(name, origin);
    const guide = guideAt(path);
    if (guide !== undefined) return (origin) => guidePage(guide, origin);
    return path.startsWith(REFERENCE_PATH) ? this.#operationAt(path) : undefined;
  }

  #operationAt(path: string): Maker | undefined {
    const { document, operations, byPath } = this.#read();
    if (path === REFERENCE_PATH) return (origin) => referencePage(document, operations, origin);
    const operation = byPath.get(path);
    return operation && ((origin) => operationPage(document, operation, origin));
  }

  #read(): Reference {
    if (this.#reference) return this.#reference;
    // Trusted: the service has just made the document, and a test checks it against the official schema.
    const document = this.#document() as OpenApiDocument;
    const operations = operationsOf(document);
    const byPath = new Map(operations.map((each) => [operationPath(each.id), each]));
    this.#reference = { document, operations, byPath };
    return this.#reference;
  }
}

type Maker = (origin: string) => Content | Promise<Content>;

/** The front page of the documents. */
function frontPage(origin: string): Content {
  const main = html`<h1>Porchlight</h1>
<p class="lead">The light that shows you, from the street, how things are at home.</p>
<p>This is the service at <code>${origin}</code>. Programs reach the devices in a home through its REST API.</p>
<ul class="doors">
<li><a href="/docs/first-hour">The first hour</a> <span>from sign-up to switching a lamp, with curl only</span></li>
<li><a href="/docs/guide">The guide</a> <span>what the answers mean, and how to handle them</span></li>
<li><a href="/docs/webhooks">Webhooks</a> <span>how to check their signatures in JavaScript, Python, Go, Ruby and PHP</span></li>
<li><a href="/docs">The reference</a> <span>every operation, with samples in curl, TypeScript and Python</span></li>
<li><a href="/docs/errors">The errors</a> <span>the cause of each, and what to do</span></li>
</ul>`;
  return { title: "Porchlight", main };
}

function notFoundPage(): Content {
  const main = html`<h1>Page not found</h1>
<p class="lead">The link may be outdated, or the address may be misspelt.</p>
<p>Start from the <a href="/docs">reference</a> or the list of <a href="/docs/errors">errors</a>.</p>`;
  return { title: "Page not found", main, status: 404 };
}

/** The index of the documents for the portal's search, together with the words that the portal explains. */
const INDEX_PATH = "/docs/index.json";

interface Entry {
  readonly name: string;
  /** Description, and further search words. */
  readonly about: string;
  readonly to: string;
}

interface DocumentIndex {
  readonly entries: readonly Entry[];
  /** Words by their anchor in the glossary. */
  readonly words: Readonly<Record<string, { readonly word: string; readonly meaning: string }>>;
}

async function documentIndex(operations: readonly Operation[]): Promise<DocumentIndex> {
  const known = await words();
  const guides = await Promise.all(guidePaths().map(([path, file]) => guideEntries(path, file)));
  return {
    entries: [
      { name: "Reference", about: "every operation of the API", to: REFERENCE_PATH },
      { name: "Errors", about: "every error of the API", to: ERRORS_PATH },
      { name: "Glossary", about: "terms and their meaning", to: GLOSSARY_PATH },
      ...operations.map(({ id, method, path, summary }) => ({
        ...{ name: summary, about: `${method} ${path} ${id}`, to: operationPath(id) },
      })),
      ...guides.flat(),
      ...Object.keys(ERRORS).map((name) => errorEntry(name as ErrorName)),
      ...known.map(({ id, word }) => ({ name: word, about: "term in the glossary", to: `${GLOSSARY_PATH}#${id}` })),
    ],
    words: Object.fromEntries(known.map((each) => [each.id, { word: each.word, meaning: plainMeaning(each) }])),
  };
}

async function guideEntries(path: string, file: string): Promise<Entry[]> {
  const { title, sections } = await guideDocument(file, "");
  return [
    { name: title, about: "guide", to: path },
    ...sections.map((section) => ({ name: section.title, about: `in ${title}`, to: `${path}#${section.id}` })),
  ];
}

function errorEntry(name: ErrorName): Entry {
  return { name, about: `error ${ERRORS[name].status}`, to: errorPath(name) };
}

/** A word of the glossary, which is a page with an anchor for each word, and data for tooltips elsewhere. */
interface Word {
  /** Anchor of the word: `/docs/glossary#ID`. */
  readonly id: string;
  readonly word: string;
  /** In Markdown. */
  readonly meaning: string;
}

/** Parses the rows of the glossary's table. Pure. */
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

/** A meaning as plain text, without links and the references in brackets, which only the page shows. */
export function plainMeaning({ meaning }: Word): string {
  return meaning
    .replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "");
}

async function glossaryPage(): Promise<Content> {
  const resolve = linksFrom(GLOSSARY_FILE);
  const main = html`<h1>Glossary</h1>
<p class="lead">Each word has one meaning in the API, the portal, the console and the documents. Links lead to the full definition.</p>
<dl class="fields">
${(await words()).map(({ id, word, meaning }) => html`<div id="${id}"><dt>${word}</dt><dd>${inline(meaning, resolve)}</dd></div>`)}
</dl>`;
  return { title: "Glossary", main };
}
