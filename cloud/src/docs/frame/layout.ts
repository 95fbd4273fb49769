/** The frame of every page: head, navigation, main column, foot. */

import { type Page, packed } from "../../http/index.ts";
import type { Assets } from "./assets.ts";
import { type Html, html, NOTHING } from "./html.ts";
import type { Section } from "./markdown.ts";
import { rail } from "./rail.ts";

export interface Content {
  readonly title: string;
  /** What stands in the main column, its heading included. */
  readonly main: Html;
  /** What is listed beside it, when there is more than one. */
  readonly sections?: readonly Section[];
  readonly status?: number;
}

/** @param path of the page, so that the rail shows where one is */
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
