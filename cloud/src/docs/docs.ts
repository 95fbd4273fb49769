/** All pages of the documents under their addresses. A page is made when it is first asked for, and kept. */
import { type Page, type Pages, packed, type Reader } from "../http/index.ts";
import { ERRORS_PATH, errorAt, errorList, errorPage } from "./error-pages.ts";
import { Assets } from "./frame/assets.ts";
import { type Content, pageOf } from "./frame/layout.ts";
import { glossaryPage } from "./glossary.ts";
import { GLOSSARY_PATH, guideAt, guidePage } from "./guides.ts";
import { frontPage, notFoundPage } from "./plain-pages.ts";
import { type OpenApiDocument, type Operation, operationsOf } from "./reference/operations.ts";
import { operationPage, operationPath, REFERENCE_PATH, referencePage } from "./reference/pages.ts";
import { documentIndex, INDEX_PATH } from "./search-index.ts";

/** Pages kept. An address that a reader gives the service stands in them, so there could be any number. */
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

  /** @param document makes the OpenAPI document: asked once, when a page of the reference is */
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
    // Our own document, which the service has just made and a test holds against the official schema.
    const document = this.#document() as OpenApiDocument;
    const operations = operationsOf(document);
    const byPath = new Map(operations.map((each) => [operationPath(each.id), each]));
    this.#reference = { document, operations, byPath };
    return this.#reference;
  }
}

type Maker = (origin: string) => Content | Promise<Content>;
