/** One thing changed in a request, by what its route takes: a field, a part of the path, the query, a header, the whole body. */
import type { Wire } from "@porchlight/cloud/app.fixture.ts";
import fc from "fast-check";
import { strangeHeader, strangeInUrl, strangeJson, strangeText } from "./strange.ts";

/** A good request, and what its route takes. */
export interface Template {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where none is taken. @param count another for each request, for what has to be unique */
  readonly body: ((count: number) => object) | undefined;
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

/** Headers that name what is asked for, and those without which the request is not even read. */
const HEADERS = [
  ...["if-match", "if-none-match", "prefer", "x-system-metadata-prefix", "idempotency-key", "x-api-version"],
  ...["x-request-id", "accept", "origin", "cookie", "sec-fetch-site", "forwarded", "x-forwarded-for"],
  ...["x-current-password", "accept-encoding", "content-encoding", "user-agent", "host"],
];
const OF_ACCESS = ["authorization", "content-type"];
const OF_OBJECTS = ["__proto__", "constructor", "toString", "id", "a/b~c"];

/** Requests with one to three things changed, mostly of what the route looks at. */
export function mutated(template: Template, words: readonly string[]): fc.Arbitrary<Wire> {
  const { path, query, body } = template;
  const change = fc.oneof(
    { weight: 2, arbitrary: inHeaders(words) },
    { weight: query.length > 0 ? 6 : 1, arbitrary: inQuery(template, words) },
    { weight: variable(path).length > 0 ? 4 : 1, arbitrary: inPath(template, words) },
    { weight: body ? 9 : 0, arbitrary: inBody(template, words) },
    { weight: 1, arbitrary: wholeBody(words) },
  );
  return fc.tuple(fc.noBias(fc.nat()), fc.array(change, { minLength: 1, maxLength: 3 })).map(([count, changes]) => {
    const draft: Draft = {
      path,
      query: [],
      headers: { ...template.headers },
      raw: new Map(),
      body: body?.(count),
      whole: undefined,
      twice: undefined,
    };
    for (const each of changes) each(draft);
    return written(template.method, draft);
  });
}

function inHeaders(words: readonly string[]): fc.Arbitrary<Change> {
  const name = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...HEADERS) },
    { weight: 1, arbitrary: fc.constantFrom(...OF_ACCESS) },
  );
  return fc.tuple(name, strangeHeader(words)).map(([name, value]) => ({ headers }) => {
    headers[name] = value;
  });
}

function inQuery({ query }: Template, words: readonly string[]): fc.Arbitrary<Change> {
  const value = fc.oneof(strangeInUrl(words), fc.integer().map(String), fc.constantFrom("true", "1e3", "[]", "a=b"));
  const listed = fc.constantFrom(...(query.length > 0 ? query : ["pageSize"]));
  const other = fc.oneof(fc.constantFrom("__proto__", "", "constructor"), strangeInUrl(words));
  const times = fc.integer({ min: 1, max: 3_000 });
  const more = fc.oneof(
    { weight: 8, arbitrary: fc.tuple(listed, value).map(([name, text]) => `${name}=${text}`) },
    { weight: 1, arbitrary: fc.tuple(other, value).map(([name, text]) => `${name}=${text}`) },
    { weight: 1, arbitrary: fc.constantFrom("", "&", "=", "?", "a", "%", "&&&=&") },
    { weight: 1, arbitrary: fc.tuple(listed, times).map(([name, count]) => `${name}=&`.repeat(count)) },
  );
  return more.map((text) => (draft) => void draft.query.push(text));
}

/** Places of a path in which an ID or a selector stands: those after the collection that are no word of the route. */
export function variable(path: string): number[] {
  return [...path.split("/").entries()].flatMap(([at, step]) => (at > 2 && /[^a-z-]/.test(step) ? [at] : []));
}

function inPath({ path }: Template, words: readonly string[]): fc.Arbitrary<Change> {
  const steps = path.split("/");
  const places = variable(path);
  const at = fc.oneof(
    { weight: places.length > 0 ? 9 : 0, arbitrary: fc.constantFrom(...places, steps.length - 1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: steps.length }) },
  );
  return fc.tuple(at, strangeInUrl(words)).map(([index, text]) => (draft) => {
    const now = draft.path.split("/");
    draft.path = (index < now.length ? now.with(index, text) : [...now, text]).join("/");
  });
}

/** A value somewhere in the body is another, is missing, stands twice, or there is one more. */
function inBody({ fields, body }: Template, words: readonly string[]): fc.Arbitrary<Change> {
  const places = placesIn(body?.(0) ?? {}, []);
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

export type At = readonly (string | number)[];

/** Every value within, by the way to it. */
export function placesIn(value: unknown, way: At): At[] {
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
