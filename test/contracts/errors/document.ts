/** The served OpenAPI document as the list of what must be provoked: every error of every route, under its status. */
import type { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { ERRORS, type ErrorName } from "@porchlight/shared/kernel";

/** One error that a route lists, under the status that it lists it under. */
export interface Listed {
  /** `METHOD /path/:id`. */
  readonly route: string;
  readonly error: ErrorName;
  readonly status: number;
}

export interface DocumentedRoute {
  readonly route: string;
  /** Empty: it takes no credential. */
  readonly kinds: readonly string[];
  readonly query: readonly string[];
  /** Fields of the body. */
  readonly fields: readonly string[];
  readonly listed: readonly Listed[];
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly allOf?: readonly Schema[];
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly "x-token-kinds"?: readonly string[];
  readonly parameters: readonly { readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Every route as the service itself describes it. */
export async function documentedRoutes(cloud: TestCloud): Promise<DocumentedRoute[]> {
  // Its form is tested with the official schema.
  const document = (await cloud.good("GET", "/api/openapi.json")) as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
      const { parameters, requestBody, responses } = operation;
      const schema = requestBody?.content["application/json"]?.schema;
      return {
        route,
        kinds: operation["x-token-kinds"] ?? [],
        query: parameters.flatMap((each) => (each.in === "query" && each.name ? [each.name] : [])),
        fields: Object.keys((schema?.$ref ? componentOf(document, schema.$ref) : schema)?.properties ?? {}),
        listed: Object.entries(responses).flatMap(([status, { content }]) =>
          titlesIn(content).map((error) => ({ route, error, status: Number(status) })),
        ),
      };
    }),
  );
}

/** Names under an error's status. */
function titlesIn(content: Content | undefined): ErrorName[] {
  const all = content?.["application/problem+json"]?.schema.allOf ?? [];
  return all.flatMap(({ properties }) => properties?.title?.enum ?? []).filter(isName);
}

function componentOf({ components }: Document, pointer: string): Schema | undefined {
  return components.schemas[pointer.split("/").at(-1) ?? ""];
}

function isName(text: string): text is ErrorName {
  return Object.hasOwn(ERRORS, text);
}
