/** Pages of few words: the front door, the reference's frame, and what stands where nothing is. */
import { html } from "./html.ts";
import type { Content } from "./layout.ts";

export function frontPage(origin: string): Content {
  const main = html`<h1>Porchlight</h1>
<p class="lead">The light that tells you, from the street, how things are at home.</p>
<p>This is the service at <code>${origin}</code>. Programs reach the devices in a home through its REST API.</p>
<ul class="doors">
<li><a href="/docs/first-hour">The first hour</a> <span>from sign-up to a lamp that is set, with nothing but curl</span></li>
<li><a href="/docs/guide">The guide</a> <span>what answers mean, and what to do with them</span></li>
<li><a href="/docs/webhooks">Checking a webhook</a> <span>in JavaScript, Python, Go, Ruby and PHP</span></li>
<li><a href="/docs">The reference</a> <span>every route, to be tried with your own token</span></li>
<li><a href="/docs/errors">The errors</a> <span>each with its cause and cure</span></li>
</ul>`;
  return { title: "Porchlight", main };
}

export function notFoundPage(): Content {
  const main = html`<h1>Nothing is at this address</h1>
<p class="lead">Perhaps the link is old, or a letter is missing.</p>
<p>The <a href="/docs">reference</a> has every route, and the list of <a href="/docs/errors">errors</a> every error.</p>`;
  return { title: "Nothing here", main, status: 404 };
}

/** The reference is drawn into it by `reference.js`; what stands here already is for readers without scripts too. */
export function referencePage(): Content {
  const main = html`<h1>Reference</h1>
<p class="lead">Every route of the API, made from what the server itself runs on. Each can be tried here, with your own token.</p>
<p>New here? <a href="/docs/first-hour">The first hour</a> goes from sign-up to a lamp that is set, with nothing but curl. <a href="/docs/guide">The guide</a> says what answers mean. Every error has <a href="/docs/errors">its page</a>.</p>
<p>The token that you enter stays in the memory of this page and is sent to this service only. It is gone when you close or reload the page.</p>
<h2 id="routes">Routes</h2>
<div id="reference"><p>The routes are shown by a script. Without one, read the <a href="/api/openapi.json">OpenAPI document</a>.</p></div>`;
  return {
    title: "Reference",
    main,
    styles: ["swagger-ui.css", "reference.css"],
    library: "swagger-ui.js",
    script: "reference.js",
  };
}
