import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, type Reply, TestCloud } from "../../app.fixture.ts";
import { readBody } from "./body-rules.ts";
import type { Route } from "./route.ts";

/** Faults of a request, in the order in which they are reported (A1.4). */
const FAULTS = ["version", "path", "method", "credential", "limit", "kind", "query", "size", "type", "shape"] as const;
type Fault = (typeof FAULTS)[number];

const EXPECTED: Readonly<Record<Fault, readonly [number, string]>> = {
  version: [404, "API Version Not Found"],
  path: [404, "Endpoint Not Found"],
  method: [405, "Method Not Allowed"],
  credential: [401, "Token Invalid"],
  limit: [429, "Rate Limit Exceeded"],
  kind: [403, "Token Type Not Allowed"],
  query: [400, "No Query String Allowed"],
  size: [413, "Body Too Large"],
  type: [400, "Body Parameters Missing"],
  shape: [400, "Body Parameters Invalid"],
};

/** Bodies of which each route that needs one takes at least one. */
const BODIES: readonly (Record<string, unknown> | undefined)[] = [
  undefined,
  {},
  { value: 1 },
  { environmentId: "x" },
  { key: "x" },
  { currentPassword: "x" },
  { environmentId: "x", services: [{ service: "Switch" }] },
  { environmentId: "x", items: [{ target: "x", service: "Switch.on", value: true }] },
  { url: "https://example.com" },
  { since: "2026-11-05 14:03:07Z" },
  { kind: "zigbee" },
];

let free: TestCloud;
let limited: TestCloud;
let token: string;
/** Of the cloud with limits, both used up. */
const usedUp = { account: "", client: "" };
beforeAll(async () => {
  free = await TestCloud.start();
  token = (await free.home()).token;
  limited = await TestCloud.start({ rateLimit: 10, trustedProxy: ["127.0.0.1"] });
  const home = await limited.home();
  usedUp.account = home.token;
  usedUp.client = await clientToken(limited, home);
  for (const each of [usedUp.account, usedUp.client])
    for (let n = 0; n < 20; n++) await limited.call("GET", "/api/token", { token: each, headers: fromAnother() });
});
afterAll(async () => {
  await free[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
});

async function clientToken(cloud: TestCloud, home: Home): Promise<string> {
  const body = { environmentId: home.environmentId };
  const { id } = await cloud.good("POST", "/api/clients", { token: home.token, body });
  return (await cloud.good("POST", `/api/clients/${id}/tokens`, { token: home.token })).token;
}

let asked = 0;
/** Refused too often at one address, it would be answered late. */
const fromAnother = () => ({ "x-forwarded-for": `203.0.${Math.floor(++asked / 250)}.${asked % 250}` });

/** A request with this fault and every later one. */
async function ask(route: Route, first: Fault): Promise<Reply> {
  const has = (fault: Fault) => FAULTS.indexOf(fault) >= FAULTS.indexOf(first) && applies(route, fault);
  const named = route.path.replaceAll(/:\w+/g, "nonsense");
  const path = `${has("version") ? "/v7" : ""}${named}${has("path") ? "/no/such/path" : ""}`;
  const takesBody = route.method !== "GET" && (has("size") || has("type") || has("shape"));
  const body = has("size") ? "x".repeat(300_000) : "[]";
  const known = route.tokens === undefined ? undefined : first === "limit" ? usedUp.account : token;
  const presented = has("kind") && known ? await wrongKind(first === "limit") : known;
  const cloud = first === "limit" ? limited : free;
  return cloud.call(has("method") ? "PATCH" : route.method, `${path}${has("query") ? "?nonsense=1" : ""}`, {
    token: has("credential") ? "nonsense" : presented,
    ...(takesBody && { body }),
    headers: {
      ...fromAnother(),
      ...(takesBody && { "content-type": has("type") ? "text/plain" : "application/json" }),
    },
  });
}

let client: string | undefined;
async function wrongKind(used: boolean): Promise<string> {
  client ??= await clientToken(free, { token, environmentId: (await environmentOf()).id } as Home);
  return used ? usedUp.client : client;
}

async function environmentOf(): Promise<{ id: string }> {
  return (await free.good("GET", "/api/environments", { token })).items[0];
}

/** Whether a route can have a fault at all. */
function applies({ method, tokens, body }: Route, fault: Fault): boolean {
  switch (fault) {
    case "credential":
    case "limit":
    case "kind":
      return tokens !== undefined;
    case "size":
      return method !== "GET";
    case "type":
    case "shape":
      return body !== undefined;
    default:
      return true;
  }
}

describe("of several faults of a request, the first is reported", () => {
  // The pages outside the API have rules of their own.
  const inApi = () => free.app.routes.filter(({ path }) => path.startsWith("/api/"));

  it.each(FAULTS)("%s before all that comes after it, on every route", async (fault) => {
    let seen = 0;
    for (const route of inApi()) {
      if (!applies(route, fault)) continue;
      const { status, body } = await ask(route, fault);
      expect([route.method, route.path, status, body.title]).toEqual([route.method, route.path, ...EXPECTED[fault]]);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(10);
  });

  it("and a bad idempotency key after the body and before references, on every route that takes one", async () => {
    for (const route of inApi().filter((each) => each.takesIdempotencyKey)) {
      const body = BODIES.find((each) => takes(route, each));
      const url = route.path.replaceAll(/:\w+/g, "nonsense");
      const reply = await free.call(route.method as "POST", url, { token, body, headers: { "idempotency-key": "" } });
      expect([route.method, route.path, reply.body.title]).toEqual([
        route.method,
        route.path,
        "Idempotency Key Invalid",
      ]);
    }
  });
});

function takes({ body: rule }: Route, body: unknown): boolean {
  if (!rule) return body === undefined;
  try {
    readBody(rule, body);
    return true;
  } catch {
    return false;
  }
}
