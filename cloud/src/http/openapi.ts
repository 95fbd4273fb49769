/** The OpenAPI document, made from the declarations that the server itself runs on. */
import { problem } from "@porchlight/shared/api";
import { ERRORS, type ErrorName } from "@porchlight/shared/kernel";
import { z } from "zod";
import { PROBLEM_TYPE } from "./problem.ts";
import type { Route } from "./route.ts";
import { VERSIONS } from "./versions.ts";

type Json = Record<string, unknown>;

/** Names of the parameters that every route with metadata understands. */
const META_PREFIX = {
  name: "x-system-metadata-prefix",
  in: "header",
  description: "Prefix of system metadata in this request and its answer",
  schema: { type: "string", default: "$.", minLength: 1, maxLength: 16 },
};

export function openApi(routes: readonly Route[], publicUrl: string | undefined): Json {
  const components: Json = {};
  const schemaOf = (schema: z.ZodType, io: "input" | "output") =>
    lift(z.toJSONSchema(schema, { unrepresentable: "any", io }), components);
  const problemSchema = schemaOf(problem, "output");
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      summary: route.summary,
      tags: [route.path.split("/")[2] ?? "service"],
      ...(route.tokens ? { security: [{ token: [] }], "x-tokens": route.tokens } : { security: [] }),
      parameters: parametersOf(route),
      ...(route.body && {
        requestBody: {
          required: !route.body.optional,
          content: { "application/json": { schema: schemaOf(route.body.schema, "input") } },
        },
      }),
      responses: {
        ...successes(route, schemaOf),
        ...failures(route, problemSchema),
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Porchlight", version: VERSIONS[VERSIONS.length - 1]?.name ?? "", license: { name: "Apache-2.0" } },
    ...(publicUrl !== undefined && { servers: [{ url: publicUrl }] }),
    paths,
    components: {
      schemas: components,
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "One token in `authorization`" } },
    },
  };
}

function parametersOf(route: Route): Json[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = route.query.map((name) => ({ name, in: "query", schema: QUERY[name] ?? { type: "string" } }));
  const hasMeta = route.body ? "meta" in route.body.schema.shape : route.tokens !== undefined && route.method === "GET";
  return [...inPath, ...inQuery, ...(hasMeta ? [META_PREFIX] : [])];
}

const QUERY: Readonly<Record<string, Json>> = {
  pageSize: { type: "integer", minimum: 1, maximum: 1000, default: 1000 },
  refresh: { type: "boolean", default: false },
  maxAge: { type: "integer", minimum: 0, maximum: 86_400 },
};

function successes(route: Route, schemaOf: (schema: z.ZodType, io: "output") => Json): Json {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => [
      status,
      {
        description: status === "201" ? "Made" : "Done",
        ...(schema && { content: { "application/json": { schema: schemaOf(schema, "output") } } }),
      },
    ]),
  );
}

function failures(route: Route, schema: Json): Json {
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of new Set(errorsOf(route))) {
    const { status } = ERRORS[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      { description: names.join(" · "), content: { [PROBLEM_TYPE]: { schema } } },
    ]),
  );
}

/** Its own, and those that its declaration brings with it. */
function errorsOf(route: Route): ErrorName[] {
  const names: ErrorName[] = ["No Query String Allowed", ...(route.errors ?? [])];
  if (route.tokens) names.push("Token Missing", "Token Invalid", "Token Expired", "Token Type Not Allowed");
  if (route.query.length > 0) names.push("Query Parameter Invalid");
  if (route.query.includes("pageSize")) names.push("Page Size Invalid", "Continuation Token Invalid");
  if (route.body) {
    names.push("Body Parameters Missing", "Body Parameters Invalid", "Body Too Large");
    for (const field of Object.values<z.ZodType>(route.body.schema.shape)) {
      const own = field.meta() ?? {};
      for (const name of [own["x-missing"], own["x-invalid"]]) if (isName(name)) names.push(name);
    }
    if ("meta" in route.body.schema.shape) names.push("Metadata Prefix Invalid");
  }
  return [...names, "Internal Error", "Service Unavailable"];
}

function isName(name: unknown): name is ErrorName {
  return typeof name === "string" && Object.hasOwn(ERRORS, name);
}

/** Moves what a schema defines on its own to the components, where all routes share it. */
function lift(schema: Json, components: Json): Json {
  const {
    $defs,
    $schema: _dialect,
    ...rest
  } = JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(components, $defs);
  return rest;
}
