/** The portal's files through the whole server, from a folder as the build leaves it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const INDEX =
  '<!doctype html><meta property="csp-nonce" nonce="__NONCE__"><script src="/assets/main-1a2b.js"></script>';

const folder = mkdtempSync(join(tmpdir(), "porchlight-portal-"));
let cloud: TestCloud;
beforeAll(async () => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), INDEX);
  writeFileSync(join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(join(folder, "assets", "main-1a2b.js"), "export {};");
  writeFileSync(join(folder, "assets", "main-1a2b.js.br"), brotliCompressSync("export {};"));
  cloud = await TestCloud.start({ portal: folder });
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}, method: "GET" | "POST" = "GET") =>
  cloud.app.fastify.inject({ method, url, headers });

it("is at the front door, and wherever a person asks for what is no file", async () => {
  for (const url of ["/", "/pair?code=BCDF-GHJK", "/environments/env_1/devices"]) {
    const { statusCode, payload, headers } = await get(url, BROWSER);
    expect([url, statusCode, headers["content-type"]]).toEqual([url, 200, "text/html; charset=utf-8"]);
    expect(payload).toContain("/assets/main-1a2b.js");
  }
  expect((await get("/environments/env_1/devices")).json()).toMatchObject({ title: "Endpoint Not Found" });
  expect((await get("/pair", BROWSER, "POST")).json()).toMatchObject({ title: "Endpoint Not Found" });
});

it("leaves the API and the documents to themselves", async () => {
  expect((await get("/api/nothing", BROWSER)).json()).toMatchObject({ title: "Endpoint Not Found" });
  expect((await get("/docs/first-hour", BROWSER)).payload).toContain("<h1");
  const missing = await get("/docs/nothing", BROWSER);
  expect([missing.statusCode, missing.payload.includes("Page not found")]).toEqual([404, true]);
});

it("lets its page's scripts create style sheets by a nonce that changes each time, and the page is not cached", async () => {
  const nonces = new Set<string>();
  for (let times = 0; times < 3; times++) {
    const { payload, headers } = await get("/", BROWSER);
    const nonce = /nonce="([\w-]{22})"/.exec(payload)?.[1] ?? "";
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect([headers["cache-control"], headers.etag]).toEqual(["no-store", undefined]);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
});

it("keeps for ever what is named by its content, and asks again for the rest", async () => {
  const script = await get("/assets/main-1a2b.js");
  expect([script.headers["content-type"], script.headers["cache-control"]]).toEqual([
    "text/javascript; charset=utf-8",
    "public, max-age=31536000, immutable",
  ]);
  expect((await get("/favicon.svg")).headers["cache-control"]).toBe("no-cache");
});

it("sends a script as the build has compressed it to who takes that, and as another coding to others", async () => {
  const url = "/assets/main-1a2b.js";
  const ready = brotliCompressSync("export {};");
  const tags = new Set<unknown>();
  const bodies = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
  for (const [coding, unpacked] of Object.entries(bodies)) {
    const { headers, rawPayload } = await get(url, { "accept-encoding": coding });
    expect([coding, headers["content-encoding"] ?? "identity", headers.vary]).toEqual([
      coding,
      coding,
      "accept-encoding",
    ]);
    expect([coding, unpacked(rawPayload).toString()]).toEqual([coding, "export {};"]);
    if (coding === "br") expect(rawPayload).toEqual(ready);
    tags.add(headers.etag);
  }
  expect(tags.size).toBe(3);
  expect((await get(`${url}.br`)).statusCode).toBe(404);
});

it("gives out no file that is not the portal's", async () => {
  for (const url of ["/../package.json", "/assets/../../secret", "/%2e%2e/package.json", "/assets", "/index.html/x"])
    expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
});

it("answers 404 for its own files that are gone, for every accepted type", async () => {
  for (const headers of [BROWSER, { accept: "*/*" }, { accept: "text/css,*/*;q=0.1" }, {}])
    for (const url of ["/assets/main-0000.js", "/assets/main-0000.css", "/assets/"]) {
      const { statusCode, payload } = await get(url, headers);
      expect([url, statusCode, payload.includes("/assets/main-1a2b.js")]).toEqual([url, 404, false]);
    }
});

it("leaves the front door to the documents where it was not built", async () => {
  await using bare = await TestCloud.start({ portal: join(folder, "nowhere") });
  expect((await bare.app.fastify.inject({ method: "GET", url: "/" })).payload).toContain("/docs/first-hour");
});

it("has the documents in its frame for a browser with a log-in, and plain for everybody else", async () => {
  const inFrame = async (headers: Record<string, string>, url = "/docs/first-hour") => {
    const answer = await get(url, { ...BROWSER, ...headers });
    return answer.payload.includes("/assets/main-1a2b.js");
  };
  for (const cookie of ["porchlight=plt_acc_x", "a=b; porchlight=x", "__Host-porchlight=x"])
    expect([cookie, await inFrame({ cookie })]).toEqual([cookie, true]);
  for (const cookie of ["porchlight=", "__Host-porchlight-known=x", "notporchlight=x"])
    expect([cookie, await inFrame({ cookie })]).toEqual([cookie, false]);
  expect(await inFrame({})).toBe(false);
  expect(await inFrame({ cookie: "porchlight=x" }, "/docs/first-hour?plain")).toBe(false);
  expect((await get("/docs/guide")).headers.vary).toBe("accept-encoding, cookie");
  const asset = /\/docs\/assets\/[^"]+/.exec((await get("/docs/guide")).payload)?.[0] ?? "";
  expect(await inFrame({ cookie: "porchlight=x" }, asset)).toBe(false);
  expect((await get("/docs/nothing", { ...BROWSER, cookie: "porchlight=x" })).statusCode).toBe(404);
});
