/** Serves the portal's files by name, and its single page at every other path that a browser opens. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { type Page, type Pages, packed, type Reader } from "../http/index.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};
const INDEX = "/index.html";
/** The build's placeholder for the nonce of a page's style sheets. */
const NONCE = "__NONCE__";
/** Folder of files with a hash of their content in the name. */
const NAMED_BY_CONTENT = "/assets/";
/** Suffix of the brotli variant of a file, which has no address of its own. */
const BROTLI = ".br";
/** Paths below which a missing file is an error, because the portal has no pages there. A tab from before an upgrade requests old files. */
const NO_PAGES = /^\/(?:docs|assets)(?:\/|$)/;

export class Portal implements Pages {
  readonly #folder: string;
  readonly #documents: Pages;
  readonly #random: Random;
  readonly #files: ReadonlySet<string>;
  readonly #read = new Map<string, Promise<Page>>();

  private constructor(folder: string, documents: Pages, random: Random, files: ReadonlySet<string>) {
    this.#folder = folder;
    this.#documents = documents;
    this.#random = random;
    this.#files = files;
  }

  /**
   * @param folder of the built portal @param documents served beside it, and at `/` without a built portal
   * @returns the documents alone when the folder has no portal
   */
  static async open(folder: string, documents: Pages, random: Random): Promise<Pages> {
    const files = await filesOf(folder);
    return files.has(INDEX) ? new Portal(folder, documents, random, files) : documents;
  }

  async find(path: string, reader: Reader): Promise<Page | undefined> {
    if (path === "/") return this.#page(INDEX);
    if (path !== INDEX && this.#files.has(path) && !path.endsWith(BROTLI)) return this.#page(path);
    const found = await this.#documents.find(path, reader);
    // A logged-in user reads the documents in the portal's frame: its script fetches this very page without the cookie.
    return found?.vary === "cookie" && reader.hasLogIn ? this.#page(INDEX) : found;
  }

  /** The portal's own page reports that a path has no page. */
  notFound(path: string, reader: Reader): Promise<Page> {
    return NO_PAGES.test(path) ? this.#documents.notFound(path, reader) : this.#page(INDEX);
  }

  #page(path: string): Promise<Page> {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    const page = this.#make(path);
    this.#read.set(path, page);
    page.catch(() => this.#read.delete(path));
    return page;
  }

  async #make(path: string): Promise<Page> {
    const body = await readFile(join(this.#folder, path));
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    const ready = this.#files.has(path + BROTLI) ? await readFile(join(this.#folder, path + BROTLI)) : undefined;
    const page = await packed(body, { status: 200, type, isImmutable: path.startsWith(NAMED_BY_CONTENT) }, ready);
    if (path !== INDEX) return page;
    const text = body.toString();
    const fresh = () => {
      const nonce = Buffer.from(this.#random.bytes(16)).toString("base64url");
      return { nonce, body: Buffer.from(text.replaceAll(NONCE, nonce)) };
    };
    return { ...page, fresh };
  }
}

/** Request paths of the files. A missing folder has none. */
async function filesOf(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).split(sep).join("/")}`),
  );
}
