import { ERRORS } from "@porchlight/shared/kernel";
import { CATALOGUE } from "@porchlight/shared/model";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";

let cloud: TestCloud;
// biome-ignore lint/suspicious/noExplicitAny: a JSON document, looked at in places
let document: any;
beforeAll(async () => {
  cloud = await TestCloud.start();
  document = (await cloud.call("GET", "/api/openapi.json")).body;
});
afterAll(() => cloud[Symbol.asyncDispose]());

// biome-ignore lint/suspicious/noExplicitAny: as above
const operations = (): [string, any][] =>
  Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, object] => [`${method} ${path}`, operation]),
  );

it("has the same bytes for all callers, is compressed once, and is not sent to a client that has it", async () => {
  const plain = await cloud.call("GET", "/api/openapi.json");
  expect(plain.headers).toMatchObject({ "cache-control": "no-cache", vary: "accept-encoding" });
  const headers = { "accept-encoding": "gzip, br" };
  const small = await cloud.send({ method: "GET", url: "/api/openapi.json", headers, body: undefined });
  expect(small.headers["content-encoding"]).toBe("br");
  expect(Number(small.headers["content-length"])).toBeLessThan(Number(plain.headers["content-length"]) / 10);
  for (const { headers } of [plain, small]) {
    const known = { "if-none-match": String(headers.etag) };
    expect((await cloud.call("GET", "/api/openapi.json", { headers: known })).status).toBe(304);
  }
});

describe("the OpenAPI document", () => {
  it("is OpenAPI 3.1, open to anybody, and describes itself", () => {
    expect(document.openapi).toBe("3.1.0");
    expect(document.paths["/api/openapi.json"].get.security).toEqual([]);
  });

  it("describes every route that there is", async () => {
    const server = cloud.app.fastify;
    for (const [name] of operations()) {
      const [method = "", path = ""] = name.split(" ");
      const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
      expect(server.hasRoute({ method: method.toUpperCase() as "GET", url }), name).toBe(true);
    }
    // `/metrics` is the operator's, and may stand on a port of its own.
    const all = server.printRoutes({ commonPrefix: false }).replace(/^.*\/metrics \(.*$/m, "");
    const printed = all.match(/\((GET|POST|PUT|DELETE|, |HEAD)+\)/g) ?? [];
    const routes = printed.flatMap((methods) => methods.match(/GET|POST|PUT|DELETE/g) ?? []);
    expect(operations()).toHaveLength(routes.length);
  });

  it("refers to nothing that it does not define", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(refs.length).toBeGreaterThan(200);
    for (const [, kind = "", name = ""] of refs) expect(document.components[kind]).toHaveProperty([name]);
    expect(JSON.stringify(document)).not.toContain("#/$defs/");
  });

  it("names the errors of the table only, each under its status, with an example of each", () => {
    for (const [name, operation] of operations()) {
      for (const [status, response] of Object.entries<{
        description: string;
        content?: Record<string, { examples: Record<string, { $ref: string }> }>;
      }>(operation.responses)) {
        if (Number(status) < 400) continue;
        const examples = response.content?.["application/problem+json"]?.examples;
        const exampleNames = Object.values(examples ?? {}).map(
          ({ $ref }) => document.components.examples[$ref.replace("#/components/examples/", "")].value,
        );
        expect(exampleNames.map(({ title }) => title).join(" · "), name).toBe(response.description);
        for (const example of exampleNames) expect(example, name).toMatchObject({ status: Number(status) });
        for (const { title } of exampleNames) expect(Object.keys(ERRORS), name).toContain(title);
      }
    }
  });

  it("is one by the official schema of OpenAPI 3.1", async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it("passes a public linter's recommended rules, without an error or a warning", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: "openapi.json", config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${message} ${location[0]?.pointer}`)).toEqual([]);
  });

  it("gives every operation a unique name, a summary and a tag", () => {
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const chapters = document.tags.map(({ name }: { name: string }) => name);
    for (const [name, { operationId, summary, tags }] of operations()) {
      expect(operationId, name).toMatch(/^[a-z]+([A-Z0-9][a-z0-9]*)*$/);
      expect(summary.length, name).toBeGreaterThan(5);
      expect(chapters, name).toContain(tags[0]);
    }
  });

  it("describes every query parameter", () => {
    for (const [name, { parameters }] of operations())
      for (const parameter of parameters)
        if (!parameter.$ref) expect(parameter.description, `${name} ${parameter.name}`).toBeTypeOf("string");
  });
});

describe("the service", () => {
  it("reports whether it runs and whether it accepts requests", async () => {
    expect((await cloud.call("GET", "/healthz")).body).toEqual({ status: "ok" });
    expect((await cloud.call("GET", "/readyz")).body).toEqual({ status: "ready" });
  });

  it("shows its catalogue", async () => {
    const { token } = await cloud.home();
    const { items } = await cloud.good("GET", "/api/services", { token });
    expect(items).toHaveLength(CATALOGUE.size);
    expect(items.find(({ service }: { service: string }) => service === "Switch")).toEqual({
      service: "Switch",
      title: "Switch",
      properties: [{ property: "on", title: "Power", type: "boolean", access: ["read", "write", "notify"] }],
      optional: [
        {
          property: "startUp",
          title: "After a power cut",
          type: "string",
          values: ["off", "on", "toggle", "previous"],
          access: ["read", "write", "notify"],
        },
      ],
    });
  });
});
