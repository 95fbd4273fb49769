/** The sink of an ecosystem as a user of the API sees it (A14): set, shown, tested, written to over a real socket, and deleted. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { gunzipSync } from "node:zlib";
import { settle } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";

interface Posted {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly text: string;
}

let cloud: TestCloud;
let home: Home;
let server: Server;
let base: string;
let path: string;
let posted: Posted[];
let status: number;
let body: string;

beforeEach(async () => {
  [posted, status, body] = [[], 204, ""];
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const whole = Buffer.concat(parts);
    const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(whole).toString() : whole.toString();
    posted.push({ path: request.url ?? "", authorization: request.headers.authorization, text });
    response.writeHead(status, { location: "http://127.0.0.1:1/" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  cloud = await TestCloud.start({ webhookAllow: ["127.0.0.0/8"] });
  home = await cloud.home();
  path = `/api/ecosystems/${home.ecosystemId}/sink`;
});
afterEach(async () => {
  await cloud[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

const asked = (of: object | undefined = undefined) => ({ token: home.token, ...(of && { body: of }) });
const put = (of: object) => cloud.call("PUT", path, asked(of));
const set = (of: object) => cloud.good("PUT", path, asked(of));
const get = () => cloud.good("GET", path, asked());
const URL_OF = (query = "db=home") => `${base}/write?${query}`;

async function thermometer(): Promise<(value: unknown) => Promise<void>> {
  const services = [{ service: "Temperature" }];
  const made = { environmentId: home.environmentId, alias: "hall", services };
  const { id } = await cloud.good("POST", "/api/devices", asked(made));
  return (value) =>
    cloud.good("PUT", `/api/devices/${id}/services/Temperature.celsius`, asked({ value, report: true }));
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 5_000; turn++) {
    if (await holds()) return;
    await cloud.clock.advance(turn % 20 === 0 ? 1_000 : 0);
    await settle(1);
  }
  throw new Error("it did not come to that");
}

describe("a sink", () => {
  it("is shown after it was set, without its token, with its progress", async () => {
    await cloud.good("POST", "/api/zones", asked({ environmentId: home.environmentId }));
    await set({ url: URL_OF(), token: "very secret", measurementPrefix: "home_" });
    const shown = await get();
    expect(shown).toEqual({
      ...{ ecosystemId: home.ecosystemId, url: URL_OF(), measurementPrefix: "home_", enabled: true, hasToken: true },
      ...{ createdAt: expect.any(String), behind: 0, refusedLines: 0, lostEvents: 0 },
    });
    const [row] = await cloud.rows((db) => db.selectFrom("sinks").selectAll());
    expect(JSON.stringify(row)).not.toContain("very secret");
  });

  it("is written what happens from then on, with its token", async () => {
    const report = await thermometer();
    await report(19);
    await set({ url: URL_OF("db=home&rp=year"), token: "Basic YTpi" });
    await report(20.5);
    await until(() => posted.length > 0);
    expect(posted).toEqual([
      {
        ...{ path: "/write?db=home&rp=year", authorization: "Basic YTpi" },
        text: expect.stringMatching(
          new RegExp(
            `^Temperature,device=hall,deviceId=dev_\\w+,environmentId=${home.environmentId},index=0 celsius=20\\.5 \\d{19}\n$`,
          ),
        ),
      },
    ]);
    await until(async () => (await get()).behind === 0);
    expect((await get()).lastDelivery).toEqual({ at: expect.any(String), status: 204 });
  });

  it("reports the fault, and continues by itself when it is repaired", async () => {
    const report = await thermometer();
    await set({ url: URL_OF() });
    [status, body] = [404, '{"error":"database not found"}'];
    await report(20);
    await until(async () => (await get()).error !== undefined);
    expect(await get()).toMatchObject({
      ...{ behind: 1, error: 'the receiver answered 404: {"error":"database not found"}' },
      ...{ failingSince: expect.any(String), nextAttemptAt: expect.any(String), lastDelivery: { status: 404 } },
    });
    [status, body] = [204, ""];
    await until(async () => (await get()).behind === 0);
    expect(await get()).not.toHaveProperty("error");
    expect(await get()).not.toHaveProperty("failingSince");
  });

  it("follows no redirect", async () => {
    const report = await thermometer();
    await set({ url: URL_OF() });
    status = 307;
    await report(20);
    await until(async () => (await get()).error !== undefined);
    expect((await get()).error).toBe("the receiver answered 307: redirects are not followed");
  });

  it("is changed in what is given, and takes back what was read", async () => {
    await set({ url: URL_OF(), token: "secret", measurementPrefix: "a_" });
    await set({ enabled: false });
    expect(await get()).toMatchObject({ measurementPrefix: "a_", enabled: false, hasToken: true });
    expect((await put(await get())).status).toBe(200);
    await set({ token: null });
    expect((await get()).hasToken).toBe(false);
  });

  it("is not written what happened while it was disabled", async () => {
    const report = await thermometer();
    await set({ url: URL_OF(), enabled: false });
    await report(20);
    await set({ enabled: true });
    await report(21);
    await until(() => posted.length > 0);
    expect(posted.map(({ text }) => / (celsius=\d+) /.exec(text)?.[1])).toEqual(["celsius=21"]);
  });

  it("does not send a stored token to another host", async () => {
    await set({ url: URL_OF(), token: "secret" });
    await set({ url: URL_OF("db=other") });
    const elsewhere = await put({ url: "https://elsewhere.example/write" });
    expect(elsewhere.body).toMatchObject({ title: "Body Parameters Invalid", errors: [{ pointer: "/token" }] });
    expect((await get()).url).toBe(URL_OF("db=other"));
    await set({ url: "https://elsewhere.example/write", token: null });
    expect((await get()).hasToken).toBe(false);
  });

  it("is refused by name", async () => {
    expect((await put({})).body.title).toBe("Body Parameters Missing");
    const urls = [
      "",
      5,
      "x",
      "ftp://a.example/",
      "http://10.0.0.1/write",
      "https://user:pw@a.example/",
      "https://a.example/#a",
    ];
    const queries = ["u=a&p=b", "precision=ms", "precision=ns&precision=s"];
    for (const url of [...urls, ...queries.map((query) => `https://a.example/write?${query}`)])
      expect((await put({ url })).body.title, String(url)).toBe("Body Parameters Invalid");
    for (const precision of ["n", "ns", "nanosecond", "auto"])
      await set({ url: `https://a.example/write?precision=${precision}`, enabled: false });
    const url = "https://a.example/write";
    const others = [
      { token: "" },
      { token: "a\nb" },
      { token: "ä" },
      { measurementPrefix: "a b" },
      { enabled: 1 },
      { org: "a" },
    ];
    for (const other of others)
      expect((await put({ url, ...other })).body.title, JSON.stringify(other)).toBe("Body Parameters Invalid");
  });

  it("is asked without anything being written, also while it is disabled", async () => {
    await set({ url: URL_OF(), token: "secret", enabled: false });
    expect(await cloud.good("POST", `${path}/test`, asked())).toEqual({
      ...{ taken: true, responseStatus: 204, durationMs: expect.any(Number) },
    });
    [status, body] = [401, '{"code":"unauthorized"}'];
    expect(await cloud.good("POST", `${path}/test`, asked())).toEqual({
      ...{ taken: false, responseStatus: 401, durationMs: expect.any(Number), responseStart: body },
      error: `the receiver answered 401: ${body}`,
    });
    expect(posted.map(({ authorization, text }) => [authorization, text])).toEqual(Array(2).fill(["Token secret", ""]));
  });

  it("is gone when it is deleted, and so is all that is kept of it", async () => {
    const reply = async (method: "GET" | "DELETE" | "POST", at = path) =>
      (await cloud.call(method, at, asked())).body.title;
    expect(await reply("GET")).toBe("Sink Not Found");
    await set({ url: URL_OF() });
    expect((await cloud.call("DELETE", path, asked())).status).toBe(200);
    expect([await reply("GET"), await reply("DELETE"), await reply("POST", `${path}/test`)]).toEqual(
      Array(3).fill("Sink Not Found"),
    );
    expect(await cloud.rows((db) => db.selectFrom("sinks").selectAll())).toEqual([]);
  });

  it("goes with its ecosystem", async () => {
    const other = await cloud.good("POST", "/api/ecosystems", asked({}));
    await cloud.good("PUT", `/api/ecosystems/${other.id}/sink`, asked({ url: URL_OF(), token: "secret" }));
    await cloud.good("DELETE", `/api/ecosystems/${other.id}`, asked());
    await until(async () => (await cloud.rows((db) => db.selectFrom("sinks").selectAll())).length === 0);
  });

  it("is in the audit when it is set and deleted, without its query", async () => {
    await set({ url: URL_OF("db=private") });
    await cloud.good("DELETE", path, asked());
    const { items } = await cloud.good("GET", "/api/audit?pageSize=100", asked());
    const audited = items.filter((item: { action: string }) => item.action.startsWith("ecosystem.sink"));
    expect(audited).toMatchObject([
      { action: "ecosystem.sink_changed", detail: { origin: base } },
      { action: "ecosystem.sink_deleted" },
    ]);
    expect(JSON.stringify(audited)).not.toContain("private");
  });
});
