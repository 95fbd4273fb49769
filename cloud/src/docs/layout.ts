/** The frame of every page: head, navigation, main column, foot. */

import { type Page, packed } from "../http/index.ts";
import type { AssetName, Assets } from "./assets.ts";
import { type Html, html, NOTHING } from "./html.ts";
import { rail } from "./rail.ts";

export interface Content {
  readonly title: string;
  /** What stands in the main column, its heading included. */
  readonly main: Html;
  /** What stands beside it. */
  readonly aside?: Html;
  readonly status?: number;
  readonly styles?: readonly AssetName[];
  /** A library that its script expects to be there. */
  readonly library?: AssetName;
  /** A module, with what it imports beside it. */
  readonly script?: AssetName;
}

/** @param path of the page, so that the rail shows where one is */
export async function pageOf(assets: Assets, path: string, content: Content): Promise<Page> {
  const styles = await Promise.all(["docs.css" as const, ...(content.styles ?? [])].map((name) => assets.path(name)));
  const library = content.library && html`<script src="${await assets.path(content.library)}" defer></script>`;
  const script = content.script && html`<script src="${await assets.path(content.script)}" type="module"></script>`;
  const title = content.title === "Porchlight" ? "Porchlight" : `${content.title} · Porchlight`;
  const text = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${await assets.path("lamp.svg")}" type="image/svg+xml">
${styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
${library ?? NOTHING}
${script ?? NOTHING}
</head>
<body>
<a class="skip" href="#main">To the text</a>
<div class="shell">
${rail(path)}
<div class="page">
<div class="columns">
<main id="main" tabindex="-1">
${content.main}
</main>
${content.aside ?? NOTHING}
</div>
<footer>
<p>Porchlight, API version v0. <a href="/api/openapi.json">OpenAPI document</a></p>
</footer>
</div>
</div>
</body>
</html>
`;
  const status = content.status ?? 200;
  return packed(Buffer.from(text.text), { status, type: "text/html; charset=utf-8", isImmutable: false });
}
