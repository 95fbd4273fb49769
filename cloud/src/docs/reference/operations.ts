/** Reads the OpenAPI document for the reference: operations with references resolved, without the headers that every route has. */

/** The members of a JSON Schema that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
}

export interface Parameter extends Described {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<
    Record<string, Content & Described & { readonly headers?: Readonly<Record<string, Described>> }>
  >;
}

/** The members that are read of the document that `openApi` makes. */
export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ShownAnswer {
  readonly status: number;
  readonly description: string;
  readonly media?: string;
  readonly schema?: Schema;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
}

export interface Operation {
  readonly id: string;
  /** In capital letters. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly chapter: string;
  /** Accepted kinds of token, `session` for the cookie of a log-in; empty: no authentication. */
  readonly tokens: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly schema: Schema } | undefined;
  readonly answers: readonly ShownAnswer[];
  /** Names of errors by status. */
  readonly errors: readonly { readonly status: number; readonly names: readonly string[] }[];
}

/** Headers of every request or answer, which the guide describes once. */
const EVERYWHERE = [
  ...["x-api-version", "x-request-id", "deprecation", "sunset", "ratelimit", "ratelimit-policy"],
  ...["x-system-metadata-prefix", "if-none-match"],
];

/** All operations, in the document's order. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(document, method.toUpperCase(), path, operation)),
  );
}

function operationOf(document: OpenApiDocument, method: string, path: string, object: OperationObject): Operation {
  const body = object.requestBody;
  const responses = Object.entries(object.responses).map(([status, each]) => ({ status: Number(status), ...each }));
  return {
    id: object.operationId,
    method,
    path,
    summary: object.summary,
    chapter: object.tags[0] ?? "",
    tokens: [...new Set(object.security.flatMap((each) => Object.keys(each)))],
    parameters: (object.parameters ?? [])
      .map((each) => followed(document, each))
      .filter(({ name }) => !EVERYWHERE.includes(name)),
    body: body && { required: body.required ?? false, schema: body.content?.["application/json"]?.schema ?? {} },
    answers: responses
      .filter(({ status }) => status < 400)
      .map(({ status, description = "", content = {}, headers = {} }) => {
        const [media] = Object.keys(content);
        const schema = media === undefined ? undefined : content[media]?.schema;
        return {
          ...{ status, description },
          ...(media !== undefined && { media }),
          ...(schema && { schema }),
          headers: Object.entries(headers)
            .filter(([name]) => !EVERYWHERE.includes(name))
            .map(([name, each]) => ({ name, description: followed(document, each).description ?? "" })),
        };
      }),
    errors: responses
      .filter(({ status }) => status >= 400)
      .map(({ status, description = "" }) => ({ status, names: description.split(" · ") }))
      .sort((one, other) => one.status - other.status),
  };
}

/** Resolves a reference and keeps the description beside it; returns any other part unchanged. */
export function followed<T extends Described>(document: OpenApiDocument, part: T): T {
  const [, kind = "", name = ""] = /^#\/components\/([^/]+)\/(.+)$/.exec(part.$ref ?? "") ?? [];
  // Components are grouped by the kind in the reference.
  const found = document.components[kind]?.[name] as T | undefined;
  if (!found) return part;
  return part.description === undefined ? found : { ...found, description: part.description };
}
