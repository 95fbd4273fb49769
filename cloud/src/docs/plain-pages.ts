/** Pages of few words: the front door, and what stands where nothing is. */
import { html } from "./frame/html.ts";
import type { Content } from "./frame/layout.ts";

export function frontPage(origin: string): Content {
  const main = html`<h1>Porchlight</h1>
<p class="lead">The light that tells you, from the street, how things are at home.</p>
<p>This is the service at <code>${origin}</code>. Programs reach the devices in a home through its REST API.</p>
<ul class="doors">
<li><a href="/docs/first-hour">The first hour</a> <span>from sign-up to a lamp that is set, with nothing but curl</span></li>
<li><a href="/docs/guide">The guide</a> <span>what answers mean, and what to do with them</span></li>
<li><a href="/docs/webhooks">Checking a webhook</a> <span>in JavaScript, Python, Go, Ruby and PHP</span></li>
<li><a href="/docs">The reference</a> <span>every operation, with samples in curl, TypeScript and Python</span></li>
<li><a href="/docs/errors">The errors</a> <span>each with its cause and cure</span></li>
</ul>`;
  return { title: "Porchlight", main };
}

export function notFoundPage(): Content {
  const main = html`<h1>Nothing is at this address</h1>
<p class="lead">Perhaps the link is old, or a letter is missing.</p>
<p>The <a href="/docs">reference</a> has every operation, and the list of <a href="/docs/errors">errors</a> every error.</p>`;
  return { title: "Nothing here", main, status: 404 };
}
