import { ERRORS } from "@porchlight/shared/kernel";
import { CATALOGUE } from "@porchlight/shared/model";
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
    const printed = server.printRoutes({ commonPrefix: false }).match(/\((GET|POST|PUT|DELETE|, |HEAD)+\)/g) ?? [];
    const routes = printed.flatMap((methods) => methods.match(/GET|POST|PUT|DELETE/g) ?? []);
    expect(operations()).toHaveLength(routes.length);
  });

  it("refers to nothing that it does not define", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(refs.length).toBeGreaterThan(20);
    for (const name of refs) expect(document.components.schemas).toHaveProperty([name ?? ""]);
    expect(JSON.stringify(document)).not.toContain("#/$defs/");
  });

  it("names the errors of the table only, each under its status, and each as a problem", () => {
    for (const [name, operation] of operations()) {
      for (const [status, response] of Object.entries<{ description: string; content?: object }>(operation.responses)) {
        if (Number(status) < 400) continue;
        expect(response.content, name).toHaveProperty(["application/problem+json"]);
        for (const title of response.description.split(" · "))
          expect(Reflect.get(ERRORS, title), `${name}: ${title}`).toMatchObject({ status: Number(status) });
      }
    }
  });
});

describe("the service", () => {
  it("says whether it runs and whether it takes requests", async () => {
    expect((await cloud.call("GET", "/healthz")).body).toEqual({ status: "ok" });
    expect((await cloud.call("GET", "/readyz")).body).toEqual({ status: "ready" });
  });

  it("shows its catalogue", async () => {
    const { token } = await cloud.home();
    const { items } = await cloud.good("GET", "/api/services", { token });
    expect(items).toHaveLength(CATALOGUE.size);
    expect(items.find(({ service }: { service: string }) => service === "Switch")).toEqual({
      service: "Switch",
      properties: [{ property: "on", type: "boolean", access: ["read", "write", "notify"] }],
    });
  });
});
