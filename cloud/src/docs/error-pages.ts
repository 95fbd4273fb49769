/** Reference pages of errors: one for each row of the table, and the list of all. */
import { STATUS_CODES } from "node:http";
import { ERRORS, type ErrorName, errorPath, NamedError, textOfError } from "@porchlight/shared/kernel";
import { problemBody, problemHeaders } from "../http/index.ts";
import type { Content } from "./layout.ts";
import { codeBlock, type Html, html, inline, NOTHING } from "./markdown.ts";

/** Names of errors by the paths of their pages, to which the `type` of an error leads. */
const NAMES = Object.keys(ERRORS) as readonly ErrorName[];

const BY_PATH: ReadonlyMap<string, ErrorName> = new Map(NAMES.map((name) => [errorPath(name), name]));

export const ERRORS_PATH = "/docs/errors";

/** The error that a path documents. */
export function errorAt(path: string): ErrorName | undefined {
  return BY_PATH.get(path);
}

/** @param origin of the service, for the examples */
export function errorPage(name: ErrorName, origin: string): Content {
  const { status, cause } = ERRORS[name];
  const { why, cure, example } = textOfError(name);
  const error = new NamedError(name, example.detail, example.extras);
  const main = html`<p class="crumb"><a href="${ERRORS_PATH}">Errors</a></p>
<h1>${name}</h1>
<p class="lead"><span class="status">${statusLine(status)}</span> ${inline(cause)}</p>
${why ? html`<h2>Why</h2><p>${inline(why)}</p>` : NOTHING}
<h2>What to do</h2>
<p>${inline(cure)}</p>
${error.retryable ? html`<p>The same request may succeed later. If the answer has an <code>outcome</code>, it says whether it is safe to repeat the request.</p>` : NOTHING}
<h2>Example</h2>
${codeBlock(requestText(example))}
${codeBlock(answerText(error, origin))}`;
  return { title: name, main };
}

export function errorList(): Content {
  const statuses = [...new Set(NAMES.map((name) => ERRORS[name].status))].sort((a, b) => a - b);
  const main = html`<h1>Errors</h1>
<p class="lead">Every error is <code>application/problem+json</code>. Its <code>title</code> is the name of the error. Let your program decide by <code>title</code>, and by <code>outcome</code> if there is one. Do not parse <code>detail</code>: its words may change.</p>
${statuses.map(group)}`;
  return { title: "Errors", main };
}

function group(status: number): Html {
  const names = NAMES.filter((name) => ERRORS[name].status === status);
  return html`<h2 id="status-${status}">${statusLine(status)}</h2>
<dl class="errors">
${names.map((name) => html`<div><dt><a href="${errorPath(name)}">${name}</a></dt><dd>${inline(ERRORS[name].cause)}</dd></div>`)}
</dl>`;
}

function statusLine(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
}

function requestText({ request, headers, body }: ReturnType<typeof textOfError>["example"]): string {
  return [request, ...(headers ?? []), ...(body === undefined ? [] : ["", body])].join("\n");
}

function answerText(error: NamedError, origin: string): string {
  const headers = Object.entries(problemHeaders(error)).map(([name, value]) => `${name}: ${value}`);
  const body = JSON.stringify(problemBody(error, "3f0c9d1a77be-1", origin), undefined, 2);
  return [`HTTP/1.1 ${statusLine(error.status)}`, ...headers, "", body].join("\n");
}
