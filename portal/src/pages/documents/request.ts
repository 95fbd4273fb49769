/** A request that is tried from a document, put together from what stands in its form. Pure. */

export interface TriedParameter {
  readonly name: string;
  readonly place: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  /** With `‹name›` for what is the reader's own; "" when the sample has none. */
  readonly sample: string;
}

/** An operation as its page says it for the form. */
export interface TriedOperation {
  readonly method: string;
  /** Path with `{parameter}`. */
  readonly template: string;
  readonly hasToken: boolean;
  /** JSON, with `‹name›`. */
  readonly body?: string;
  readonly parameters: readonly TriedParameter[];
  /** Whether its answer goes on until it is stopped. */
  readonly isStream: boolean;
}

export type Values = Readonly<Record<string, string>>;

/** Path and query. A parameter of the query that is empty is left out. */
export function triedAddress({ template, parameters }: TriedOperation, values: Values): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const query = parameters.filter(({ name, place }) => place === "query" && values[name]);
  const search = new URLSearchParams(query.map(({ name }) => [name, values[name] ?? ""]));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** What is missing before it can be sent, in a sentence; undefined when nothing is. */
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

/** Headers of an answer that say something of this one; the others are the same for every answer. */
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

/** JSON with its lines broken; any other text as it is. */
export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
