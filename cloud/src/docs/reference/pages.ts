/**
 * The pages of the reference: the list of all operations, one for each with its samples, fields, answers and errors; and one for
 * each error.
 */
import { STATUS_CODES } from "node:http";
import { ERRORS, type ErrorName, errorPath, NamedError, textOfError } from "@porchlight/shared/kernel";
import { problemBody, problemHeaders } from "../../http/index.ts";
import type { Content } from "../layout.ts";
import { codeBlock, type Html, html, inline, NOTHING, namesIn } from "../markdown.ts";
import { fieldsOf, limitsOf, typeText } from "./fields.ts";
import { requestOf, textsOf } from "./languages.ts";
import type { OpenApiDocument, Operation, Parameter, Schema, ShownAnswer } from "./operations.ts";
import { SAMPLES } from "./samples.ts";

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

export const REFERENCE_PATH = "/docs";
const FIRST = "listDevices";

/** Path of an operation's page. */
export function operationPath(id: string): string {
  return `${REFERENCE_PATH}/operations/${id}`;
}

export function referencePage(document: OpenApiDocument, operations: readonly Operation[], origin: string): Content {
  const first = operations.find(({ id }) => id === FIRST);
  const chapters = document.tags.filter(({ name }) => operations.some(({ chapter }) => chapter === name));
  const main = html`<h1>Reference</h1>
<p class="lead">Every operation of the API, generated from the declarations that the service itself uses. Each page has samples in curl, TypeScript and Python.</p>
<p>New here? <a href="/docs/first-hour">The first hour</a> leads from sign-up to switching a lamp, with curl only. <a href="/docs/guide">The guide</a> says what the answers mean. Every error has <a href="/docs/errors">a page</a>. Programs can read the <a href="/api/openapi.json">OpenAPI document</a>.</p>
${STRANGERS}
${first ? html`<h2 id="first-call">A first call</h2>${samples(first, origin)}` : NOTHING}
${chapters.map(({ name, description }) => chapter(name, description, operations))}`;
  const sections = chapters.map(({ name }) => ({ id: name, title: titleOf(name) }));
  return { title: "Reference", main, sections };
}

function chapter(name: string, description: string, operations: readonly Operation[]): Html {
  const within = operations.filter((each) => each.chapter === name);
  return html`<h2 id="${name}">${titleOf(name)}</h2>
<p>${description}.</p>
<ul class="operations">
${within.map(
  ({ id, method, path, summary }) =>
    html`<li><a href="${operationPath(id)}">${summary}</a> <span class="call">${methodMark(method)} <code>${path}</code></span></li>`,
)}
</ul>`;
}

function titleOf(chapterName: string): string {
  return chapterName.charAt(0).toUpperCase() + chapterName.slice(1);
}

/** @param origin of the service, for the samples */
export function operationPage(document: OpenApiDocument, operation: Operation, origin: string): Content {
  const { id, method, path, summary, chapter: of, parameters, body, answers, errors } = operation;
  const { needs } = SAMPLES[id] ?? {};
  const main = html`<div class="operation">
<div class="about">
<p class="crumb"><a href="${REFERENCE_PATH}">Reference</a> / <a href="${REFERENCE_PATH}#${of}">${titleOf(of)}</a></p>
<h1>${summary}</h1>
<p class="call">${methodMark(method)} <code>${path}</code></p>
<p>${tokenSentence(operation)} The operation ID is <code>${id}</code>.</p>
${needs ? html`<p class="note">${needs}</p>` : NOTHING}
</div>
<div class="samples">
<h2 id="samples">Samples</h2>
${samples(operation, origin)}
${STRANGERS}
<div data-operation="${JSON.stringify(tryable(operation))}"></div>
</div>
<div class="details">
${parameterTable("Path parameters", "path", parameters)}
${parameterTable("Query parameters", "query", parameters)}
${parameterTable("Headers", "header", parameters)}
${body ? html`<h2 id="body">Body</h2>${body.required ? NOTHING : html`<p>The body may be left out.</p>`}${fieldTable(document, body.schema)}` : NOTHING}
<h2 id="answers">Answers</h2>
${answers.map((answer) => answerPart(document, answer))}
<h2 id="errors">Errors</h2>
<dl class="errors">
${errors.map(({ status, names }) => html`<div><dt>${statusLine(status)}</dt><dd>${names.map((name, at) => html`${at > 0 ? ", " : ""}${errorLink(name)}`)}</dd></div>`)}
</dl>
</div>
</div>`;
  return { title: id, main };
}

const STRANGERS = html`<p class="strangers">Log in to the <a href="/">portal</a> to see your own IDs and token in the samples, and to send requests from these pages.</p>`;

/** The data that the portal needs to send the request. */
function tryable(operation: Operation): object {
  const { method, path: template, parameters } = operation;
  const { path, query, body, hasToken } = requestOf(operation);
  const shown = parameters.filter((each) => each.in !== "header");
  return {
    ...{ method, template, hasToken, body: body && JSON.stringify(body, null, 2) },
    parameters: shown.map(({ name, in: place, required = false, description = "" }) => ({
      ...{ name, place, required, description },
      sample: path[name] ?? query[name] ?? "",
    })),
    isStream: isStream(operation),
  };
}

function isStream({ answers }: Operation): boolean {
  return answers.some(({ media }) => media === "text/event-stream");
}

function samples(operation: Operation, origin: string): Html {
  return html`${textsOf(operation, origin).map(
    ({ language, text }) =>
      html`<figure class="sample"><figcaption>${language}</figcaption>${codeBlock(namesIn(text), `${language} sample`)}</figure>`,
  )}`;
}

function tokenSentence({ tokens }: Operation): string {
  if (tokens.length === 0) return "Needs no token.";
  if (tokens.includes("session")) return "Needs the session cookie of the portal.";
  const words = tokens.filter((kind) => kind !== "authentication");
  const list = words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join("");
  return `Accepts the token of ${list === "account" || list.startsWith("account") ? "an" : "a"} ${list}.`;
}

function parameterTable(title: string, place: Parameter["in"], all: readonly Parameter[]): Html {
  const those = all.filter((each) => each.in === place);
  if (those.length === 0) return NOTHING;
  return html`<h2 id="${title.toLowerCase().replaceAll(" ", "-")}">${title}</h2>
<dl class="fields">
${those.map(({ name, required = false, description = "", schema = {} }) => row(name, String(schema.type ?? "string"), required, description, limitsOf(schema)))}
</dl>`;
}

function fieldTable(document: OpenApiDocument, schema: Schema): Html {
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return html`<p>${typeText(document, schema)}</p>`;
  return html`<dl class="fields">
${fields.map(({ name, type, isRequired, description, limits }) => row(name, type, isRequired, description, limits))}
</dl>`;
}

function row(name: string, type: string, isRequired: boolean, description: string, limits: readonly string[]): Html {
  const words = [description, ...limits].filter((each) => each !== "").join("; ");
  return html`<div><dt><code>${name}</code> <span class="type">${type}${isRequired ? ", required" : ""}</span></dt><dd>${words ? inline(words) : "—"}</dd></div>`;
}

function answerPart(document: OpenApiDocument, { status, description, media, schema, headers }: ShownAnswer): Html {
  const isJson = media === "application/json";
  const kind = media !== undefined && !isJson ? html` <code>${media}</code>` : NOTHING;
  return html`<h3 id="answer-${status}">${statusLine(status)}</h3>
<p>${description}.${media === undefined ? " There is no body." : NOTHING}${kind}</p>
${schema && isJson ? fieldTable(document, schema) : NOTHING}
${headers.length > 0 ? html`<p>Headers:</p><dl class="fields">${headers.map(({ name, description: of }) => html`<div><dt><code>${name}</code></dt><dd>${inline(of)}</dd></div>`)}</dl>` : NOTHING}`;
}

function errorLink(name: string): Html {
  return isErrorName(name) ? html`<a href="${errorPath(name)}">${name}</a>` : html`${name}`;
}

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

function methodMark(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}
