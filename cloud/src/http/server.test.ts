import { connect } from "node:net";
import { problem } from "@porchlight/shared/api";
import { silentLog } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, type Reply, TestCloud } from "../app.fixture.ts";
import { defineOpenRoute } from "./routing/route.ts";
import { buildServer } from "./server.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
let environment: string;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  token = home.token;
  environment = `/api/environments/${home.environmentId}`;
});
afterAll(() => cloud[Symbol.asyncDispose]());

function expectProblem(reply: Reply, status: number, title: string): void {
  expect([reply.status, reply.body.title]).toEqual([status, title]);
  expect(reply.headers["content-type"]).toMatch(/^application\/problem\+json/);
  expect(problem.parse(reply.body)).toMatchObject({
    status,
    type: `/docs/errors/${title.toLowerCase().replaceAll(" ", "-")}`,
    instance: reply.headers["x-request-id"],
  });
}

describe("paths", () => {
  it("are the same with and without version, with and without one trailing slash", async () => {
    for (const url of ["/api/account", "/v0/api/account", "/api/account/", "/v0/api/account/"])
      expect((await cloud.call("GET", url, { token })).body.id).toBe(home.id);
    expectProblem(await cloud.call("GET", "/api/account//", { token }), 404, "Endpoint Not Found");
  });

  it("of a version that there is not are 404", async () => {
    for (const url of ["/v7/api/account", "/v00/api/account", "/v1/api/", "/v7"])
      expectProblem(await cloud.call("GET", url), 404, "API Version Not Found");
    expectProblem(await cloud.call("GET", "/v0/v0/api/account"), 404, "Endpoint Not Found");
  });

  it("that are none are 404 before anybody asks for a credential", async () => {
    for (const url of ["/api/nothing", "/api", "/api/environments/a/b/c/d", "/api/%zz"])
      expectProblem(await cloud.call("GET", url), 404, "Endpoint Not Found");
  });

  it("that have no such method are 405, and list their methods", async () => {
    const reply = await cloud.call("PATCH", environment);
    expectProblem(reply, 405, "Method Not Allowed");
    expect(reply.headers.allow).toBe("GET, HEAD, PUT, DELETE");
    expect((await cloud.call("DELETE", "/api/accounts")).headers.allow).toBe("POST");
  });

  it("answer HEAD wherever they answer GET, without a body", async () => {
    const got = await cloud.call("GET", environment, { token });
    const head = await cloud.call("HEAD", environment, { token });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, "", got.headers.etag]);
    expect(head.headers["content-length"]).toBe(got.headers["content-length"]);
    expect((await cloud.call("HEAD", environment)).status).toBe(401);
  });

  it("take a reference as long as a reference may be, and refuse a longer one by its name", async () => {
    const alias = "💡".repeat(128);
    await cloud.good("PUT", environment, { token, body: { alias } });
    const reference = encodeURIComponent(`${home.ecosystemId};${alias}`);
    expect((await cloud.call("GET", `/api/environments/${reference}`, { token })).body.id).toBe(home.environmentId);
    expectProblem(
      await cloud.call("GET", `/api/environments/${"x".repeat(1025)}`, { token }),
      400,
      "Environment Invalid",
    );
    await cloud.good("PUT", environment, { token, body: { alias: null } });
  });
});

describe("every answer", () => {
  it("carries the version and a request id", async () => {
    for (const url of ["/api/account", "/api/nothing", "/v7/api", "/healthz", "/api/%zz"]) {
      const { headers } = await cloud.call("GET", url);
      expect(headers["x-api-version"]).toBe("v0");
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
    }
  });

  it("is kept by no browser, which would show a hub that is gone as online", async () => {
    for (const url of [environment, "/api/account", "/api/nothing", "/v0/api/devices", "/healthz"])
      expect((await cloud.call("GET", url, { token })).headers["cache-control"]).toBe("no-store");
    const { headers } = await cloud.call("GET", environment, { token });
    const known = { "if-none-match": String(headers.etag) };
    const unchanged = await cloud.call("GET", environment, { token, headers: known });
    expect([unchanged.status, unchanged.headers["cache-control"]]).toEqual([304, "no-store"]);
  });

  it("is interpreted by browsers only as its type", async () => {
    for (const url of [
      environment,
      "/api/account",
      "/api/nothing",
      "/v7/api",
      "/healthz",
      "/api/%zz",
      "/api/openapi.json",
    ])
      expect((await cloud.call("GET", url, { token })).headers["x-content-type-options"]).toBe("nosniff");
  });

  it("keeps a request id of the client's own that is one", async () => {
    for (const [given, kept] of [
      ["My.id_1-2", true],
      ["x".repeat(64), true],
      ["x".repeat(65), false],
      ["a b", false],
    ] as const) {
      const { headers } = await cloud.call("GET", "/healthz", { headers: { "x-request-id": given } });
      expect(headers["x-request-id"] === given).toBe(kept);
    }
  });

  it("may be read by a page of any origin", async () => {
    const headers = { origin: "https://app.example.com" };
    for (const url of ["/api/account", "/api/nothing"]) {
      const reply = await cloud.call("GET", url, { headers });
      expect(reply.headers["access-control-allow-origin"]).toBe("*");
      expect(reply.headers["access-control-allow-credentials"]).toBeUndefined();
      for (const name of ["etag", "location", "retry-after", "x-request-id", "ratelimit", "idempotent-replayed"])
        expect(reply.headers["access-control-expose-headers"]).toContain(name);
    }
    const preflight = await cloud.call("OPTIONS", environment, {
      headers: {
        ...headers,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "authorization,content-type,if-match",
      },
    });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    expect(preflight.headers["access-control-allow-methods"]).toBe("GET, HEAD, PUT, DELETE");
    expect(preflight.headers["access-control-allow-headers"]).toBe("authorization,content-type,if-match");
  });
});

describe("the order of checks", () => {
  const wrong = { body: "{", headers: { "content-type": "text/plain" } };

  it("is: version, route, credential, kind, query, body, reference, rule", async () => {
    const server = await cloud.serverToken(home);
    const steps: [string, string, object, number, string][] = [
      ["/v7/api/servers/x?a=1", "PUT", wrong, 404, "API Version Not Found"],
      ["/api/serverz/x?a=1", "PUT", wrong, 404, "Endpoint Not Found"],
      ["/api/servers?a=1", "PUT", wrong, 405, "Method Not Allowed"],
      ["/api/servers/x?a=1", "PUT", wrong, 401, "Token Missing"],
      ["/api/servers/x?a=1", "PUT", { ...wrong, token: "nonsense" }, 401, "Token Invalid"],
      ["/api/servers/x?a=1", "PUT", { ...wrong, token: server }, 403, "Token Type Not Allowed"],
      ["/api/servers/x?a=1", "PUT", { ...wrong, token }, 400, "No Query String Allowed"],
      ["/api/servers/x", "PUT", { ...wrong, token, body: "x".repeat(300_000) }, 413, "Body Too Large"],
      ["/api/servers/x", "PUT", { ...wrong, token }, 400, "Body Parameters Missing"],
      ["/api/servers/x", "PUT", { token, body: { alias: ";" } }, 400, "Alias Invalid"],
      ["/api/servers/x", "PUT", { token, body: { alias: "a" } }, 400, "Server Invalid"],
    ];
    for (const [url, method, options, status, title] of steps)
      expectProblem(await cloud.call(method as "PUT", url, options), status, title);
  });

  it("looks at references from the outside in", async () => {
    const path = `/api/users/${home.userId}/access`;
    const body = { environmentId: "nonsense" };
    expectProblem(await cloud.call("POST", "/api/users/nonsense/access", { token, body }), 400, "User Invalid");
    expectProblem(await cloud.call("POST", path, { token, body }), 400, "Environment Invalid");
  });
});

describe("credentials", () => {
  it("come as Bearer in any case, or bare", async () => {
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token} `, token])
      expect((await cloud.call("GET", "/api/token", { headers: { authorization } })).status).toBe(200);
  });

  it.each(["", "Bearer", "Bearer ", " "])("are missing in %j", async (authorization) => {
    const reply = await cloud.call("GET", "/api/token", { headers: { authorization } });
    expectProblem(reply, 401, "Token Missing");
    expect(reply.headers["www-authenticate"]).toBe("Bearer");
  });

  it("are invalid when there are several, in one header or in two", async () => {
    for (const authorization of [`Bearer ${token}, Bearer ${token}`, `${token} ${token}`, `Basic ${token}`])
      expectProblem(await cloud.call("GET", "/api/token", { headers: { authorization } }), 401, "Token Invalid");
    const { address, port } = await listening();
    const head = `GET /api/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: ${token}\r\n`;
    expect(await raw(address, port, `${head}Authorization: ${token}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 401 .*Token Invalid/s,
    );
    expect(await raw(address, port, `${head}\r\n`)).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe("query strings", () => {
  it("hold what the route lists, each once", async () => {
    expect((await cloud.call("GET", `${environment}?`, { token })).status).toBe(200);
    for (const url of [
      `${environment}?a`,
      `${environment}?=1`,
      `${environment}?__proto__=1`,
      "/api/users?refresh=true",
    ])
      expectProblem(await cloud.call("GET", url, { token }), 400, "No Query String Allowed");
    expectProblem(
      await cloud.call("GET", "/api/users?pageSize=1&pageSize=1", { token }),
      400,
      "Query Parameter Invalid",
    );
  });
});

describe("bodies", () => {
  const users = "/api/users";
  const send = (body: string, type: string | undefined) =>
    cloud.call("POST", users, { token, body, headers: { "content-type": type ?? "" } });

  it("are JSON, in UTF-8, and declare both", async () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
      expect((await send(JSON.stringify({ key: type }), type)).status).toBe(201);
    for (const type of [
      undefined,
      "text/plain",
      "application/xml",
      "application/jsonx",
      "nonsense",
      "application/x-www-form-urlencoded",
    ])
      expectProblem(await send('{"key":"k"}', type), 400, "Body Parameters Missing");
    for (const body of ["{", "", "nul", "\ufeff{}", '{"key":"a"} x'])
      expectProblem(await send(body, "application/json"), 400, "Body Parameters Missing");
  });

  it.each([
    ["[]", "Body Parameters Invalid", ""],
    ["null", "Body Parameters Invalid", ""],
    ['"x"', "Body Parameters Invalid", ""],
    ['{"key":"k","key":"k"}', "Body Parameters Invalid", "/key"],
    ['{"key":"k","colour":1}', "Body Parameters Invalid", "/colour"],
    ['{"key":"k","__proto__":1}', "Body Parameters Invalid", "/__proto__"],
    ['{"key":5}', "Body Parameters Invalid", "/key"],
    ['{"key":1e999}', "Body Parameters Invalid", "/key"],
    ['{"key":"k","meta":{"a":1,"a":1}}', "Metadata Format Invalid", "/meta/a"],
  ])("%s is refused as %s at %j", async (body, title, pointer) => {
    const reply = await send(body, "application/json");
    expectProblem(reply, 400, title);
    expect(reply.body.errors).toMatchObject([{ pointer }]);
  });

  it("take 256 KiB, and not a byte more", async () => {
    const filled = (bytes: number) => `{"key":"k"${" ".repeat(bytes - 11)}}`;
    expect((await send(filled(256 * 1024), "application/json")).status).toBe(201);
    expectProblem(await send(filled(256 * 1024 + 1), "application/json"), 413, "Body Too Large");
  });

  it("have a limited number of values, and anonymous ones a small number", async () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
    const key = "with much metadata";
    expect((await cloud.call("POST", users, { token, body: { key, meta: fields(5_000) } })).status).toBe(201);
    const tooMany = await cloud.call("POST", users, { token, body: { key, meta: fields(10_001) } });
    expectProblem(tooMany, 400, "Metadata Format Invalid");
    expect(tooMany.body.errors).toEqual([{ pointer: "/meta", message: "has more than 10000 values" }]);
    const logIn = await cloud.call("POST", "/api/accounts/login", { body: fields(101) });
    expectProblem(logIn, 400, "Body Parameters Invalid");
    expect(logIn.body.errors).toEqual([{ pointer: "", message: "has more than 100 values" }]);
  });

  it("do not matter where none is taken", async () => {
    const { id } = await cloud.good("POST", users, { token, body: { key: "to be deleted" } });
    const reply = await cloud.call("DELETE", `${users}/${id}`, {
      token,
      headers: { "content-type": "application/json" },
    });
    expect([reply.status, reply.text]).toEqual([200, ""]);
  });

  it.each(["", ",", "text", "application/json; charset"])("do not matter there, even of the type %j", async (type) => {
    const { id } = await cloud.good("POST", users, { token, body: { key: `to be deleted ${type}` } });
    const headers = { "content-type": type };
    expect((await cloud.call("DELETE", `${users}/${id}`, { token, headers })).status).toBe(200);
  });
});

describe("what is no request", () => {
  it("is answered in the same form as every error", async () => {
    const { address, port } = await listening();
    for (const [bytes, status] of [
      ["nonsense\r\n\r\n", 400],
      [`GET /${"x".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
      ["GET /api/zones HTTP/1.1\r\nhost: x\r\nx-request-id: a\0b\r\n\r\n", 400],
    ] as const) {
      const [head = "", body = ""] = (await raw(address, port, bytes)).split("\r\n\r\n");
      expect(head).toContain(`HTTP/1.1 ${status} `);
      expect(head).toContain("content-type: application/problem+json");
      expect(head).toContain("x-content-type-options: nosniff");
      expect(problem.parse(JSON.parse(body)).status).toBe(status);
    }
  });

  it("is one that expects what the service cannot do", async () => {
    const { address, port } = await listening();
    const bytes = "POST /api/accounts HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\ncontent-length: 2\r\n\r\n{}";
    const answer = await raw(address, port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 417 /);
    expect(answer).toContain("application/problem+json");
    expect(answer).toContain("it supports 100-continue only.");
  });

  it("asks for the methods of the whole service", async () => {
    const { address, port } = await listening();
    const asks = (method: string) => raw(address, port, `${method} * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const answer = await asks("OPTIONS");
    expect(answer).toMatch(/^HTTP\/1\.1 204 /);
    const [, allow = ""] = /^allow: (.+)\r$/m.exec(answer) ?? [];
    expect(allow.split(", ").sort()).toEqual(["DELETE", "GET", "HEAD", "POST", "PUT"]);
    expect(await asks("GET")).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ["two hosts", "host: a\r\nHost: b\r\n", "The request has more than one `host`."],
    ["the same host twice", "host: a\r\nhost: a\r\n", "The request has more than one `host`."],
    ["no host", "", "The request does not say in `host` whom it is for."],
    ["an empty host", "host:\r\n", "The `host` of the request is none."],
    ["a host with a path", "host: a/b\r\n", "The `host` of the request is none."],
    ["a host with a user", "host: me@a\r\n", "The `host` of the request is none."],
  ])("is one with %s, on any path", async (_name, hosts, detail) => {
    const { address, port } = await listening();
    for (const path of ["/healthz", "/api/nothing", "/docs", "/api/account"]) {
      const bytes = `GET ${path} HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`;
      const [head = "", body = ""] = (await raw(address, port, bytes)).split("\r\n\r\n");
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(problem.parse(JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1)))).toMatchObject({
        title: "Host Invalid",
        detail,
      });
    }
  });

  it.each(["a", "a_b.example:8443", "127.0.0.1", "[::1]:80", "xn--bcher-kva.example"])(
    "is none with the host %s",
    async (host) => {
      const { address, port } = await listening();
      const bytes = `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
      expect(await raw(address, port, bytes)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it("is none in HTTP/1.0 without a host: balancers ask so", async () => {
    const { address, port } = await listening();
    expect(await raw(address, port, "GET /healthz HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("does not reveal the internal error; the log has it, under the request ID", async () => {
    const logged: object[] = [];
    const handle = () => Promise.reject(new Error("a secret of the database"));
    const server = buildServer({
      routes: [
        defineOpenRoute({
          method: "GET",
          path: "/api/broken",
          operationId: "break",
          tag: "service",
          summary: "Break",
          answers: {},
          handle,
        }),
      ],
      authenticator: {
        knows: () => false,
        returning: () => undefined,
        authenticate: () => Promise.reject(new Error("nobody asks")),
      },
      log: { ...silentLog, error: (fields) => logged.push(fields) },
      requestId: () => "the-request",
    });
    const response = await server.inject("/api/broken");
    expect(problem.parse(response.json())).toMatchObject({ title: "Internal Error", instance: "the-request" });
    expect(response.payload).not.toContain("secret");
    expect(logged).toMatchObject([{ requestId: "the-request", error: { message: "a secret of the database" } }]);
  });
});

let listen: Promise<unknown> | undefined;
async function listening(): Promise<{ address: string; port: number }> {
  listen ??= cloud.app.listen();
  await listen;
  const at = cloud.app.fastify.server.address();
  if (at === null || typeof at === "string") throw new Error("nothing listens");
  return at;
}

function raw(host: string, port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect({ host, port }, () => socket.write(bytes));
    socket.on("data", (data) => {
      text += data;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}
