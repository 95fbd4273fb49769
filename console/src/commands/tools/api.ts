/** `porchlight api`: any request of the API, unchanged and with the current token: for requests without a command of their own. */
import { PorchlightError } from "@porchlight/sdk";
import { problem } from "@porchlight/shared/api";
import type { Args } from "../../session/args.ts";
import type { Action, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { jsonOf, keyAndValue, readText } from "../../session/fields.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD"];

export const api: Action = {
  parameters: [
    { name: "METHOD", summary: METHODS.join(", ") },
    { name: "PATH", summary: "Path that begins with /api, or the part after it" },
  ],
  options: [
    { name: "query", short: "q", value: "KEY=VALUE", summary: "For the query string", isRepeatable: true },
    {
      name: "field",
      short: "F",
      value: "KEY=VALUE",
      summary: "For a JSON body; VALUE is JSON, or else text",
      isRepeatable: true,
    },
    { name: "input", value: "FILE", summary: "A JSON body in a file; `-` is stdin" },
    { name: "header", short: "H", value: "NAME:VALUE", summary: "A header", isRepeatable: true },
    { name: "paginate", summary: "Fetches all pages of a list, and prints them as one" },
    { name: "include", short: "i", summary: "Shows status and headers first" },
  ],
  examples: [
    "porchlight api GET /devices -q pageSize=10",
    "porchlight api PUT '/devices/env_01h455vb4pex5vsknk084sn02q;lamp/services/Switch.on' -F value=true",
    "porchlight api GET /events -q types='device.*'",
    "porchlight api GET /devices --paginate",
  ],
  notes: [
    "The answer is printed as received, always as JSON. Paths are escaped for you: write the semicolon as it is.",
  ],
  async run(context, args) {
    const raw = rawOf(args);
    if (args.has("paginate")) return paginate(context, raw);
    const response = await sendRaw(context, raw);
    if (args.has("include")) include(context, response);
    if (response.headers.get("content-type")?.startsWith("text/event-stream"))
      for await (const line of linesOf(response)) context.output.line(line);
    else show(context, await response.text());
  },
};

/** @throws UsageError */
function rawOf(args: Args): RawRequest {
  const method = args.word("METHOD").toUpperCase();
  if (!METHODS.includes(method))
    throw new UsageError(
      `${method} is not a method of the API.`,
      `It has ${METHODS.join(", ")}.`,
      "porchlight help api",
    );
  const path = args.word("PATH");
  const [, before = "", search = ""] = /^([^?]*)\??(.*)$/.exec(path) ?? [];
  const query = new URLSearchParams(search);
  for (const each of args.all("query")) {
    const at = each.indexOf("=");
    if (at < 1)
      throw new UsageError(`\`${each}\` is not KEY=VALUE.`, "-q takes one query parameter.", "give -q pageSize=10");
    query.append(each.slice(0, at), each.slice(at + 1));
  }
  const headers = new Headers();
  for (const each of args.all("header")) addHeader(headers, each);
  const body = bodyOf(args);
  if (body !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json");
  return { method, path: wholePath(before), query, headers, body };
}

/** A path outside the API is given in full. */
function wholePath(path: string): string {
  return /^\/(api|v\d+|healthz|readyz|metrics)(\/|$)/.test(path) ? path : `/api/${path.replace(/^\//, "")}`;
}

function addHeader(headers: Headers, text: string): void {
  const at = text.indexOf(":");
  try {
    headers.append(text.slice(0, at), text.slice(at + 1).trim());
  } catch {
    throw new UsageError(
      `\`${text}\` is not a header.`,
      "-H takes a name, a colon and a value.",
      "give -H 'prefer: wait=30'",
    );
  }
}

function bodyOf(args: Args): string | undefined {
  const [input, fields] = [args.text("input"), args.all("field")];
  if (input !== undefined && fields.length > 0)
    throw new UsageError("--input and -F exclude each other.", "Both set the body.", "give only one of them");
  if (input !== undefined) {
    const text = readText(input, "--input");
    jsonOf(text, "--input");
    return text;
  }
  return fields.length === 0 ? undefined : JSON.stringify(Object.fromEntries(fields.map(keyAndValue)));
}

function include({ output }: Context, response: Response): void {
  output.line(`HTTP ${response.status}`);
  for (const [name, value] of response.headers) output.line(`${name}: ${value}`);
  output.line();
}

/** Prints JSON formatted, anything else line by line. */
function show({ output }: Context, text: string): void {
  const value = jsonOrNothing(text);
  if (value !== undefined) output.json(value);
  else if (text !== "") for (const line of text.split("\n")) output.line(line);
}

async function paginate(context: Context, raw: RawRequest): Promise<void> {
  if (raw.method !== "GET")
    throw new UsageError("--paginate is for lists.", "Only GET returns one.", "give GET, or leave --paginate out");
  const items: unknown[] = [];
  for (const query = new URLSearchParams(raw.query); ; ) {
    const page = jsonOrNothing(await (await sendRaw(context, { ...raw, query })).text());
    if (!isPage(page))
      throw new Failure("failed", "The answer is not a list.", `${raw.path} has no items.`, "remove --paginate");
    items.push(...page.items);
    if (page.continuationToken === undefined) break;
    query.set("continuationToken", page.continuationToken);
  }
  context.output.json({ items });
}

function isPage(value: unknown): value is { items: unknown[]; continuationToken?: string } {
  return typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items);
}

interface RawRequest {
  readonly method: string;
  /** Path from `/api` on. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** @throws PorchlightError when the service rejects the request or cannot be reached */
async function sendRaw(
  { connection, fetch, signal }: Pick<Context, "connection" | "fetch" | "signal">,
  { method, path, query, headers, body }: RawRequest,
): Promise<Response> {
  const all = new Headers(headers);
  const { token } = connection;
  if (token !== undefined && !all.has("authorization")) all.set("authorization", `Bearer ${token}`);
  if (!all.has("x-api-version")) all.set("x-api-version", "v0");
  const url = `${connection.apiUrl}${path}${query.size > 0 ? `?${query}` : ""}`;
  let response: Response;
  try {
    response = await fetch(url, { method, headers: all, ...(body !== undefined && { body }) });
  } catch (cause) {
    signal.throwIfAborted();
    const message = "The service could not be reached, or the connection broke.";
    throw new PorchlightError("Connection Failed", message, { cause });
  }
  if (!response.ok && response.status !== 304) throw refusalOf(response, await response.text());
  return response;
}

/** Lines of an endless answer. */
async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** The parsed value; undefined when the text is not JSON. */
function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf({ headers, status }: Response, text: string): PorchlightError {
  const parsed = problem.safeParse(jsonOrNothing(text));
  const facts = { status, requestId: headers.get("x-request-id") ?? undefined };
  if (!parsed.success)
    return new PorchlightError("Unreadable Answer", `The answer is ${status} and no error of the service.`, facts);
  const { title, detail, outcome } = parsed.data;
  return new PorchlightError(title, detail, { ...facts, outcome, problem: parsed.data });
}
