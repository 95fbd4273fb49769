import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { ERRORS, type ErrorName, errorPath, textOfError } from "@porchlight/shared/kernel";
import { HtmlValidate } from "html-validate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";

const NAMES = Object.keys(ERRORS) as ErrorName[];
const GUIDES = [
  "/docs/first-hour",
  "/docs/guide",
  "/docs/webhooks",
  "/docs/changelog",
  "/docs/glossary",
  "/docs/contract/api",
];
const OPERATIONS = ["getDevice", "setDeviceProperties", "createDevice", "listEvents", "startSetup", "getHealthz"];
const PAGES = [
  ...["/", "/docs", "/docs/errors", "/docs/contract/tunnel", "/docs/contract/device-protocol"],
  ...[...GUIDES, ...OPERATIONS.map((id) => `/docs/operations/${id}`), ...NAMES.map(errorPath)],
];
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await TestCloud.start();
});
afterAll(() => cloud[Symbol.asyncDispose]());

const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" | "POST" = "GET") =>
  cloud.app.fastify.inject({ method, url, headers: { host: "porch.example:8443", ...headers } });

describe("the pages", () => {
  it("are valid HTML", async () => {
    const validator = new HtmlValidate({
      extends: ["html-validate:recommended"],
      rules: { "valid-id": ["error", { relaxed: true }] },
    });
    for (const url of [...PAGES, "/nothing"]) {
      const { payload } = await get(url, BROWSER);
      const report = await validator.validateString(payload, `${url}.html`);
      expect(
        report.results.flatMap(({ messages }) => messages.map(({ message, line }) => `${url}:${line} ${message}`)),
      ).toEqual([]);
    }
  });

  it("link to nothing that is not there, on the page itself too", async () => {
    const seen = new Map<string, string>();
    const read = async (url: string) => {
      const text = (await get(url)).payload;
      seen.set(url, text);
      return text;
    };
    for (const url of PAGES) await read(url);
    for (const [page, text] of [...seen]) {
      for (const [, link = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const [path = "", anchor] = link.split("#");
        expect(path === "" || path.startsWith("/"), `${page}: ${link} leaves the service`).toBe(true);
        const target = path || page;
        if (!seen.has(target)) expect((await get(target)).statusCode, `${page}: ${link}`).toBe(200);
        if (anchor) expect(seen.get(target) ?? (await read(target)), `${page}: ${link}`).toContain(`id="${anchor}"`);
      }
    }
  });

  it("show examples with the address that the reader has them from", async () => {
    expect((await get("/docs/first-hour")).payload).toContain("API=http://porch.example:8443");
    const strange = await get("/docs/first-hour", { host: 'x"><script>alert(1)</script>' });
    expect(strange.payload).not.toContain("<script>alert");
  });

  it("let nothing in from elsewhere, stand in no frame and are not guessed at", async () => {
    for (const url of ["/", "/docs", "/docs/errors/hub-offline", "/nothing"]) {
      const { headers } = await get(url, BROWSER);
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    }
  });

  it("are asked for again and not sent again while they are the same", async () => {
    const first = await get("/docs", { "accept-encoding": "gzip" });
    expect(first.headers["cache-control"]).toBe("no-cache");
    const again = await get("/docs", { "if-none-match": String(first.headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, ""]);
  });

  it("are sent compressed to clients that accept it, and plain to others", async () => {
    const plain = await get("/docs/guide");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const br = await get("/docs/guide", { "accept-encoding": "gzip, deflate, br" });
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.payload);
    const gzip = await get("/docs/guide", { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.payload);
  });

  it("answer HEAD as GET without the body, take a trailing slash, and take nothing else", async () => {
    expect(await get("/docs/guide/", {}, "HEAD")).toMatchObject({ statusCode: 200, payload: "" });
    const post = await get("/docs", {}, "POST");
    expect([post.statusCode, post.headers.allow, post.json().title]).toEqual([405, "GET, HEAD", "Method Not Allowed"]);
  });

  it("have files that are kept for ever, under a name that changes with what is in them", async () => {
    const [path = ""] = (await get("/docs")).payload.match(/\/docs\/assets\/[^"]+\.css/) ?? [];
    const file = await get(path);
    expect(file.headers["cache-control"]).toContain("immutable");
    expect(file.payload).toMatch(/url\("\/docs\/assets\/[^"]+\/inter\.woff2"\)/);
    const older = await get(path.replace(/assets\/[^/]+/, "assets/older"));
    expect([older.statusCode, older.headers["cache-control"]]).toEqual([200, "no-cache"]);
    expect((await get("/docs/assets/x/..%2f..%2fpackage.json")).statusCode).toBe(404);
  });
});

describe("an address where nothing is", () => {
  it.each(["/nothing", "/docs/errors/lamp-sad", "/docs/assets/x/passwd"])(
    "%s is a page for a person and a problem for a program",
    async (url) => {
      const page = await get(url, BROWSER);
      expect([page.statusCode, page.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      const problem = await get(url);
      expect(problem.headers["content-type"]).toContain("application/problem+json");
      expect(problem.json()).toMatchObject({ status: 404, title: "Endpoint Not Found" });
    },
  );

  it.each(["/api/nothing", "/api", "/v0/api/nothing", "/v7/api/devices"])(
    "%s is a problem for a person too",
    async (url) => {
      expect((await get(url, BROWSER)).headers["content-type"]).toContain("application/problem+json");
    },
  );
});

describe("the page of an error", () => {
  it("is where the type of a problem leads", async () => {
    const { type, title } = (await get("/api/lamps")).json();
    expect((await get(type)).payload).toContain(`<h1>${title}</h1>`);
  });

  it.each(NAMES)("%s states its status, cause and cure, with an example answer", async (name) => {
    const text = (await get(errorPath(name))).payload;
    expect(text).toContain(String(ERRORS[name].status));
    expect(text).toContain("What to do");
    const answer = text.slice(text.lastIndexOf("<code>") + 6, text.lastIndexOf("</code>")).replaceAll("&quot;", '"');
    const body = JSON.parse(answer.slice(answer.indexOf("\n\n")));
    expect(body).toMatchObject({
      title: name,
      status: ERRORS[name].status,
      type: `http://porch.example:8443${errorPath(name)}`,
    });
    expect(textOfError(name).cure.length).toBeGreaterThan(20);
  });
});
