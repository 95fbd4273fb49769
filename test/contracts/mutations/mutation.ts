/** One thing changed in a request, by what its route takes: a field, a part of the path, the query, a header, the whole body. */
import fc from "fast-check";
import { strangeHeader, strangeInUrl, strangeJson, strangeText } from "./strange.ts";

/** A request as it goes out. */
export interface Wire {
  readonly method: string;
  /** `/a/b?c=d`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A good request, and what its route takes. */
export interface Template {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
  /** Fields that the body can have. */
  readonly fields: readonly string[];
  readonly query: readonly string[];
}

interface Draft {
  path: string;
  readonly query: string[];
  readonly headers: Record<string, string>;
  /** Places of the body and the JSON that is written there. */
  readonly raw: Map<string, string>;
  body: unknown;
  whole: string | Buffer | undefined;
  /** Written once more, as its first member. */
  twice: string | undefined;
}

type Change = (draft: Draft) => void;

const HEADERS = [
  ...["if-match", "if-none-match", "prefer", "x-system-metadata-prefix", "idempotency-key", "x-api-version"],
  ...["x-request-id", "content-type", "authorization", "accept", "origin", "cookie", "sec-fetch-site", "forwarded"],
  ...["x-forwarded-for", "x-current-password", "accept-encoding", "content-encoding", "user-agent", "host"],
];
const OF_OBJECTS = ["__proto__", "constructor", "toString", "id", "a/b~c"];

/** Requests with one to three things changed. */
export function mutated(template: Template, words: readonly string[]): fc.Arbitrary<Wire> {
  const changes = [inHeaders(words), inQuery(template, words), inPath(template, words)];
  const ofBody = template.body
    ? [inBody(template, words), inBody(template, words), wholeBody(words)]
    : [wholeBody(words)];
  const change = fc.oneof(...changes, ...ofBody, ...ofBody);
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((all) => {
    const draft: Draft = {
      path: template.path,
      query: [],
      headers: { ...template.headers },
      raw: new Map(),
      body: template.body && structuredClone(template.body),
      whole: undefined,
      twice: undefined,
    };
    for (const each of all) each(draft);
    return written(template.method, draft);
  });
}

function inHeaders(words: readonly string[]): fc.Arbitrary<Change> {
  return fc.tuple(fc.constantFrom(...HEADERS), strangeHeader(words)).map(([name, value]) => ({ headers }) => {
    headers[name] = value;
  });
}

function inQuery({ query }: Template, words: readonly string[]): fc.Arbitrary<Change> {
  const name = fc.oneof(fc.constantFrom(...query, "pageSize", "continuationToken", "__proto__"), strangeInUrl(words));
  const value = fc.oneof(strangeInUrl(words), fc.integer().map(String), fc.constantFrom("true", "1e3", "[]", "a=b"));
  const member = fc.tuple(name, value).map(([left, right]) => `${left}=${right}`);
  const more = fc.oneof(
    member,
    member,
    fc.constantFrom("", "&", "=", "?", "a", "%", "&&&=&"),
    fc.integer({ min: 1, max: 3_000 }).map((times) => "a=&".repeat(times)),
  );
  return more.map((text) => (draft) => void draft.query.push(text));
}

function inPath({ path }: Template, words: readonly string[]): fc.Arbitrary<Change> {
  const steps = path.split("/");
  const at = fc.integer({ min: Math.min(3, steps.length - 1), max: steps.length });
  return fc.tuple(at, strangeInUrl(words)).map(([index, text]) => (draft) => {
    draft.path = steps
      .with(Math.min(index, steps.length - 1), index === steps.length ? `${steps.at(-1)}/${text}` : text)
      .join("/");
  });
}

/** A value somewhere in the body is another, is missing, stands twice, or there is one more. */
function inBody({ fields, body }: Template, words: readonly string[]): fc.Arbitrary<Change> {
  const places = placesIn(body, []);
  const field = fc.oneof(fc.constantFrom(...fields, ...OF_OBJECTS), strangeText(words));
  const value = strangeJson(words);
  return fc.oneof(
    fc.tuple(field, value).map(
      ([key, raw]) =>
        (draft: Draft) =>
          put(draft, [key], raw),
    ),
    fc.tuple(fc.constantFrom(...places), value).map(
      ([at, raw]) =>
        (draft: Draft) =>
          put(draft, at, raw),
    ),
    fc.constantFrom(...places).map((at) => (draft: Draft) => remove(draft, at)),
    fc.tuple(field, value).map(([key, raw]) => (draft: Draft) => {
      draft.twice = `${JSON.stringify(key)}:${raw}`;
    }),
  );
}

function wholeBody(words: readonly string[]): fc.Arbitrary<Change> {
  const text = fc.oneof(
    strangeJson(words),
    fc.constantFrom(
      "",
      "{",
      "}",
      '{"a"',
      '{"a":}',
      "{'a':1}",
      "\ufeff{}",
      "{}{}",
      "[1,]",
      '{"a":"\u0001"}',
      "x".repeat(300_000),
    ),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  );
  return text.map((whole) => (draft) => {
    draft.whole = whole;
  });
}

type At = readonly (string | number)[];

/** Every value within, by the way to it. */
function placesIn(value: unknown, way: At): At[] {
  if (typeof value !== "object" || value === null) return way.length > 0 ? [way] : [[""]];
  const inside = Object.entries(value).flatMap(([key, each]) => placesIn(each, [...way, key]));
  return way.length > 0 || inside.length === 0 ? [way.length > 0 ? way : [""], ...inside] : inside;
}

function put(draft: Draft, at: At, raw: string): void {
  const mark = `raw ${draft.raw.size}`;
  const parent = at.slice(0, -1).reduce<unknown>((value, step) => Reflect.get(Object(value), step), draft.body);
  const key = at.at(-1) ?? "";
  if (typeof parent !== "object" || parent === null) return;
  draft.raw.set(mark, raw);
  // As JSON has it, `__proto__` is a key like any other.
  Object.defineProperty(parent, key, { value: mark, enumerable: true, configurable: true, writable: true });
}

function remove(draft: Draft, at: At): void {
  const parent = at.slice(0, -1).reduce<unknown>((value, step) => Reflect.get(Object(value), step), draft.body);
  if (typeof parent === "object" && parent !== null) Reflect.deleteProperty(parent, at.at(-1) ?? "");
}

function written(method: string, { path, query, headers, raw, body, whole, twice }: Draft): Wire {
  const url = query.length === 0 ? path : `${path}?${query.join("&")}`;
  let text = whole;
  if (text === undefined && body !== undefined) {
    let json = JSON.stringify(body);
    for (const [mark, value] of raw) json = json.replace(JSON.stringify(mark), () => value);
    text = twice === undefined ? json : json.replace("{", () => `{${twice}${json === "{}" ? "" : ","}`);
  }
  const typed = text === undefined ? headers : { "content-type": "application/json", ...headers };
  return { method, url, headers: typed, ...(text !== undefined && { body: text }) };
}
