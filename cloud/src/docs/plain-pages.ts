/** Pages of few words: the front door, and what stands where nothing is. */
import { html } from "./frame/html.ts";
import type { Content } from "./frame/layout.ts";

export function frontPage(origin: string): Content {
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

export function notFoundPage(): Content {
  const main = html`<h1>Page not found</h1>
<p class="lead">The link may be outdated, or the address may be misspelt.</p>
<p>Start from the <a href="/docs">reference</a> or the list of <a href="/docs/errors">errors</a>.</p>`;
  return { title: "Page not found", main, status: 404 };
}
