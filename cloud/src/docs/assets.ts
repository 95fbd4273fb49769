/** Static files of the pages: read, hashed and compressed once, at the first request rather than at start. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Page, packed } from "../http/index.ts";

const FOLDER = "/docs/assets/";

const OWN_FOLDER = new URL("./assets/", import.meta.url);
const OWN = ["docs.css", "document.css", "copy.js", "lamp.svg"] as const;
const OTHERS = {
  "inter.woff2": import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
  "mono.woff2": import.meta.resolve("@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2"),
};

/** Name of a file in pages. */
export type AssetName = (typeof OWN)[number] | keyof typeof OTHERS;

const FILES: ReadonlyMap<string, string | URL> = new Map<string, string | URL>([
  ...OWN.map((name) => [name, new URL(name, OWN_FOLDER)] as const),
  ...Object.entries(OTHERS),
]);

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

export class Assets {
  readonly #read = new Map<string, Promise<Page>>();

  /** Path of a file, which contains the hash of its content. */
  async path(name: AssetName): Promise<string> {
    return `${FOLDER}${(await this.#page(name)).hash}/${name}`;
  }

  /** The file at a path; undefined when there is none. An outdated hash gets the present file. */
  async find(path: string): Promise<Page | undefined> {
    const [hash, name = "", ...more] = path.slice(FOLDER.length).split("/");
    if (!path.startsWith(FOLDER) || more.length > 0 || !FILES.has(name)) return undefined;
    const page = await this.#page(name);
    return page.hash === hash ? page : { ...page, isImmutable: false };
  }

  #page(name: string): Promise<Page> {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const page = this.#make(name);
    this.#read.set(name, page);
    return page;
  }

  async #make(name: string): Promise<Page> {
    const ending = name.slice(name.lastIndexOf(".") + 1);
    const read = await readFile(fileURLToPath(FILES.get(name) ?? ""));
    const body = ending === "css" ? Buffer.from(await this.#withAddresses(read.toString())) : read;
    return packed(body, { status: 200, type: TYPES[ending] ?? "application/octet-stream", isImmutable: true });
  }

  /** Replaces `url("asset:NAME")` in a style sheet by the path of that file. */
  async #withAddresses(css: string): Promise<string> {
    let text = css;
    for (const name of FILES.keys())
      if (text.includes(`"asset:${name}"`))
        text = text.replaceAll(`"asset:${name}"`, `"${FOLDER}${(await this.#page(name)).hash}/${name}"`);
    return text;
  }
}
