/** Sends a hand-written request unchanged, with the current token; reports an error like the client. */
import { PorchlightError } from "@porchlight/sdk";
import { problem } from "@porchlight/shared/api";
import type { Context } from "./context.ts";

export interface RawRequest {
  readonly method: string;
  /** Path from `/api` on. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** @throws PorchlightError when the service rejects the request or cannot be reached */
export async function sendRaw(
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
export async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
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
export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf({ headers, status }: Response, text: string): PorchlightError {
  const said = problem.safeParse(jsonOrNothing(text));
  const facts = { status, requestId: headers.get("x-request-id") ?? undefined };
  if (!said.success)
    return new PorchlightError("Unreadable Answer", `The answer is ${status} and no error of the service.`, facts);
  const { title, detail, outcome } = said.data;
  return new PorchlightError(title, detail, { ...facts, outcome, problem: said.data });
}
