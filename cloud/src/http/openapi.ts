/** The OpenAPI document, generated from the declarations that the server itself uses. */
import { problem } from "@porchlight/shared/api";
import { VERSIONS } from "@porchlight/shared/rest";
import { CLOUD_VERSION } from "../config/index.ts";
import { answersOf, exampleComponents, headerComponents } from "./openapi-answers.ts";
import { headerParameters, parametersOf } from "./openapi-parameters.ts";
import { type Json, Schemas } from "./openapi-schemas.ts";
import { type Route, TAGS } from "./routing/route.ts";

type Kind = NonNullable<Route["tokens"]>[number];

/** Each kind of token is a security scheme, so that an operation's security states which kinds it accepts. */
const SCHEMES = {
  account: "Account token (`plt_acc_…`), from a log-in: access to the account and all its ecosystems",
  authentication:
    "Authentication token (`plt_auth_…`), from a log-in of the console: accepted wherever an account token is",
  server: "Server token (`plt_srv_…`): full access to its ecosystem; keep it on a server",
  user: "User token (`plt_usr_…`): access to the environments that the user has access entries for",
} as const;

export function openApi(routes: readonly Route[], publicUrl: string | undefined): Json {
  const schemas = new Schemas();
  const problemSchema = schemas.of(problem, "output");
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route, schemas, problemSchema);
  }
  const chapters = new Set<string>(routes.map(({ tag }) => tag));
  const written = JSON.stringify(paths);
  const referred = (kind: string, all: Json): Json =>
    only(all, (name) => written.includes(`"#/components/${kind}/${name}"`));
  return {
    openapi: "3.1.0",
    info: {
      title: "Porchlight",
      version: VERSIONS[VERSIONS.length - 1]?.name ?? "",
      summary: "Reach the devices in a home, truthfully and safely.",
      description:
        "Every path also exists with its version, `/v0/api/…`. Every error is `application/problem+json`; " +
        "its `title` is one of the names that the operation lists.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      // The API's version is that of the contract; this is the program's.
      "x-service-version": CLOUD_VERSION,
    },
    servers: [{ url: publicUrl ?? "/" }],
    tags: Object.entries(TAGS)
      .filter(([name]) => chapters.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components,
      parameters: referred("parameters", headerParameters()),
      headers: referred("headers", headerComponents()),
      examples: referred("examples", exampleComponents(publicUrl)),
      securitySchemes: only(securitySchemes(), (name) => written.includes(`{"${name}":[]}`)),
    },
  };
}

function securitySchemes(): Json {
  const kinds = Object.entries(SCHEMES);
  return {
    ...Object.fromEntries(kinds.map(([kind, description]) => [kind, { type: "http", scheme: "bearer", description }])),
    session: { type: "apiKey", in: "cookie", name: "__Host-porchlight", description: "The portal's log-in" },
  };
}

/** The components that the given routes use. */
function only(all: Json, isUsed: (name: string) => boolean): Json {
  return Object.fromEntries(Object.entries(all).filter(([name]) => isUsed(name)));
}

function operation(route: Route, schemas: Schemas, problemSchema: Json): Json {
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [route.tag],
    security: securityOf(route),
    ...(route.tokens && { "x-token-kinds": kindsOf(route.tokens) }),
    parameters: parametersOf(route),
    ...(route.body && {
      requestBody: {
        required: !route.body.optional,
        content: { "application/json": { schema: schemas.of(route.body.schema, "input") } },
      },
    }),
    responses: answersOf(route, schemas, problemSchema),
  };
}

function securityOf({ tokens, readsCookie, mayHaveSession }: Route): Json[] {
  if (mayHaveSession) return [{}, ...kindsOf(["account"]).map((kind) => ({ [kind]: [] }))];
  if (tokens) return kindsOf(tokens).map((kind) => ({ [kind]: [] }));
  return readsCookie ? [{ session: [] }] : [];
}

/** An authentication token is accepted wherever an account token is. */
function kindsOf(tokens: readonly Kind[]): string[] {
  return tokens.flatMap((kind) => (kind === "account" ? ["account", "authentication"] : [kind]));
}
