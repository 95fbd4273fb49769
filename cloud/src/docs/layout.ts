/** The frame of every page: head, navigation, main column, foot; and the static files that it loads. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Page, packed } from "../http/index.ts";
import { Html, html, NOTHING, type Section } from "./markdown.ts";

const FOLDER = "/docs/assets/";

const OWN_FOLDER = new URL("./assets/", import.meta.url);
const OWN = ["docs.css", "document.css", "copy.js", "lamp.svg"] as const;
const OTHERS = {
  "inter.woff2": import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
  "mono.woff2": import.meta.resolve("@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2"),
};

/** Name of a file in pages. */
type AssetName = (typeof OWN)[number] | keyof typeof OTHERS;

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

/** Static files of the pages: read, hashed and compressed once, at the first request rather than at start. */
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

export interface Content {
  readonly title: string;
  /** The main column with its heading. */
  readonly main: Html;
  /** The sections listed beside it, when there are several. */
  readonly sections?: readonly Section[];
  readonly status?: number;
}

/** @param path of the page, which the rail marks as current */
export async function pageOf(assets: Assets, path: string, content: Content): Promise<Page> {
  const { sections = [] } = content;
  const title = content.title === "Porchlight" ? "Porchlight" : `${content.title} · Porchlight`;
  const text = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${await assets.path("lamp.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${await assets.path("docs.css")}">
<link rel="stylesheet" href="${await assets.path("document.css")}" data-document>
<script src="${await assets.path("copy.js")}" type="module"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<div class="shell">
${rail(path)}
<div class="page">
<main id="main" tabindex="-1">
<div class="document">
<div class="text">
${content.main}
</div>
${sections.length > 1 ? onPage(sections) : NOTHING}
</div>
</main>
<footer>
<p>Porchlight, API version v0. <a href="/api/openapi.json">OpenAPI document</a></p>
</footer>
</div>
</div>
</body>
</html>
`;
  const status = content.status ?? 200;
  return packed(Buffer.from(text.text), {
    status,
    type: "text/html; charset=utf-8",
    isImmutable: false,
    vary: "cookie",
  });
}

function onPage(sections: readonly Section[]): Html {
  return html`<nav class="on-page" aria-label="On this page">
<p>On this page</p>
<ul>
${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
</ul>
</nav>`;
}

/** First entry of the rail of every page. `/` is the portal if that was built, else the documents. */
const PORTAL = [["/", "Start", "home"]] as const;
const DOCUMENTS = [
  ["/docs", "Reference", "docs"],
  ["/docs/first-hour", "First hour", "docs"],
  ["/docs/guide", "Guide", "docs"],
  ["/docs/errors", "Errors", "docs"],
  ["/docs/glossary", "Glossary", "docs"],
  ["/docs/changelog", "Changelog", "docs"],
] as const;

type Entry = readonly [to: string, name: string, icon: "home" | "docs"];

/** @param path of the page, which is marked as current */
function rail(path: string): Html {
  return html`<header class="top">
<details class="menu">
<summary aria-label="Menu">${lines(MENU, "icon")}</summary>
<nav class="sheet" aria-label="Menu of documents">
${entries(path)}
</nav>
</details>
${BRAND}
</header>
<nav class="rail" aria-label="Documents">
${BRAND}
${entries(path)}
</nav>`;
}

function entries(path: string): Html {
  return html`${list(path, PORTAL)}
<p class="heading">Documents</p>
${list(path, DOCUMENTS)}`;
}

function list(path: string, those: readonly Entry[]): Html {
  return html`<ul>
${those.map(([to, name, icon]) => html`<li><a href="${to}"${here(path, to)}>${lines(ICONS[icon], "icon")}${name}</a></li>`)}
</ul>`;
}

function here(path: string, to: string): Html {
  if (path === to) return new Html(' aria-current="page"');
  const within = to === "/docs" ? "/docs/operations/" : `${to}/`;
  return to !== "/" && path.startsWith(within) ? new Html(' aria-current="true"') : NOTHING;
}

/** A line drawing, decorative beside a label. */
function lines(path: string, name: string): Html {
  return new Html(
    `<svg class="${name}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}" /></svg>`,
  );
}

const ICONS = {
  home: "M4 11 12 4l8 7M6 9.5V20h12V9.5",
  docs: "M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7",
};
const MENU = "M4 6h16M4 12h16M4 18h16";
/** The logo: a lamp under a gable, as one line. */
const MARK = "M3 12 12 4l9 8M12 4v5M9 14a3 3 0 0 1 6 0v1H9zM10.5 18h3";
const BRAND = html`<a class="brand" href="/">${lines(MARK, "mark")}<span>Porchlight</span></a>`;
