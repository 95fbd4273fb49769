/** Sends a sample request and reports its response as it arrives; a stream continues until the user stops it. */
import { type MutableRefObject, useRef, useState } from "react";
import { useAccess } from "../../session/context.tsx";

interface Sent {
  readonly method: string;
  readonly address: string;
}

export type Tried =
  | { readonly kind: "nothing" }
  | { readonly kind: "sent"; readonly sent: Sent }
  | {
      readonly kind: "answered";
      readonly sent: Sent;
      readonly status: number;
      readonly statusText: string;
      readonly tookMs: number;
      readonly headers: readonly (readonly [string, string])[];
      readonly text: string;
      readonly isWhole: boolean;
    }
  | { readonly kind: "failed"; readonly sent: Sent; readonly why: string };

/** Maximum number of shown characters of a response. */
const MOST = 100_000;

interface Asked extends Sent {
  readonly body: string | undefined;
  /** Replaces the log-in's token. */
  readonly ownToken: string;
  readonly hasToken: boolean;
}

export function useSend() {
  const { session } = useAccess();
  const [tried, setTried] = useState<Tried>({ kind: "nothing" });
  const running: MutableRefObject<AbortController | undefined> = useRef(undefined);
  const stop = () => running.current?.abort();

  const send = async ({ method, address, body, ownToken, hasToken }: Asked) => {
    stop();
    const end = new AbortController();
    running.current = end;
    const sent = { method, address };
    setTried({ kind: "sent", sent });
    const began = performance.now();
    try {
      const token = hasToken ? ownToken.trim() || (await session.token()) : undefined;
      const headers = new Headers();
      if (token) headers.set("authorization", `Bearer ${token}`);
      if (body !== undefined) headers.set("content-type", "application/json");
      const init = { method, headers, credentials: "omit", signal: end.signal } as const;
      const response = await fetch(address, body === undefined ? init : { ...init, body });
      const answer = {
        ...{ kind: "answered" as const, sent, status: response.status, statusText: response.statusText },
        tookMs: Math.round(performance.now() - began),
        headers: tellingHeaders(response.headers),
      };
      let text = "";
      for await (const part of textsOf(response)) {
        text = (text + part).slice(0, MOST);
        setTried({ ...answer, text, isWhole: false });
      }
      setTried({ ...answer, text: readable(text), isWhole: true });
    } catch (error) {
      if (running.current !== end) return;
      if (end.signal.aborted) setTried((last) => (last.kind === "answered" ? { ...last, isWhole: true } : last));
      else setTried({ kind: "failed", sent, why: error instanceof Error ? error.message : String(error) });
    }
  };
  return { tried, send, stop };
}

async function* textsOf(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** A parameter of a sample request. */

interface TriedParameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  /** Contains `‹name›` for the reader's own values; "" without a sample. */
  readonly sample: string;
}

/** An operation, as its page describes it for the form. */
export interface TriedOperation {
  readonly method: string;
  /** Path with `{parameter}`. */
  readonly template: string;
  readonly hasToken: boolean;
  /** JSON with `‹name›`. */
  readonly body?: string;
  readonly parameters: readonly TriedParameter[];
  /** Whether the response is a stream, which continues until it is stopped. */
  readonly isStream: boolean;
}

type Values = Readonly<Record<string, string>>;

/** Path and query of the request. Empty query parameters are left out. */
export function triedAddress({ template, parameters }: TriedOperation, values: Values): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = parameters.filter(({ name, place }) => place === "query" && values[name]);
  const search = new URLSearchParams(query.map(({ name }) => [name, values[name] ?? ""]));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** A sentence about the first missing input; undefined when the request can be sent. */
export function faultOf(operation: TriedOperation, values: Values, body: string): string | undefined {
  const missing = operation.parameters.find(({ name, required }) => required && !values[name]);
  if (missing) return `Enter ${missing.name}.`;
  if (body.trim() === "") return undefined;
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    return `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Response headers that are specific to a response; the others are always the same. */
const TELLING = [
  ...["content-type", "x-request-id", "etag", "location", "x-command-id", "preference-applied", "server-timing"],
  ...["retry-after", "ratelimit", "idempotent-replayed"],
];

export function tellingHeaders(headers: Headers): readonly (readonly [name: string, value: string])[] {
  return TELLING.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
}

/** Formats JSON with line breaks; returns any other text unchanged. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
