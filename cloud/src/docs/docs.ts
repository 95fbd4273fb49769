/** All pages of the service under their addresses. A page is made when it is first asked for, and kept. */
import type { Page, Pages } from "../http/index.ts";
import { Assets } from "./assets.ts";
import { ERRORS_PATH, errorAt, errorList, errorPage } from "./error-pages.ts";
import { guideAt, guidePage } from "./guides.ts";
import { type Content, pageOf } from "./layout.ts";
import { frontPage, notFoundPage, referencePage } from "./plain-pages.ts";

/** Pages kept. An address that a reader gives the service stands in them, so there could be any number. */
const MOST_KEPT = 500;

export class Docs implements Pages {
  readonly #assets = new Assets();
  readonly #kept = new Map<string, Promise<Page>>();

  async find(path: string, origin: string): Promise<Page | undefined> {
    const asset = await this.#assets.find(path);
    if (asset) return asset;
    const content = contentAt(path);
    return content && this.#page(path, origin, content);
  }

  notFound(_path: string, origin: string): Promise<Page> {
    return this.#page("", origin, notFoundPage);
  }

  #page(path: string, origin: string, content: Maker): Promise<Page> {
    const key = `${origin} ${path}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
    const page = this.#make(path, origin, content);
    this.#kept.set(key, page);
    page.catch(() => this.#kept.delete(key));
    return page;
  }

  async #make(path: string, origin: string, content: Maker): Promise<Page> {
    return pageOf(this.#assets, path, await content(origin));
  }
}

type Maker = (origin: string) => Content | Promise<Content>;

function contentAt(path: string): Maker | undefined {
  if (path === "/") return frontPage;
  if (path === "/docs") return referencePage;
  if (path === ERRORS_PATH) return errorList;
  const name = errorAt(path);
  if (name) return (origin) => errorPage(name, origin);
  const guide = guideAt(path);
  return guide === undefined ? undefined : (origin) => guidePage(guide, origin);
}
