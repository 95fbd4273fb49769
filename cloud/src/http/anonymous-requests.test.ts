/** Which requests are anonymous, and what is measured of them: through the whole server, with a processor that costs what a test says. */
import { NamedError, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Presenter } from "../access/index.ts";
import { AnonymousBudget, AnonymousRequests } from "./anonymous-requests.ts";
import { Addresses } from "./client-addresses.ts";
import { LateRefusals } from "./late-refusals.ts";
import { bodyOf } from "./routing/body-rules.ts";
import { A, defineOpenRoute, defineRoute, done, type Route } from "./routing/route.ts";
import { buildServer } from "./server.ts";

let clock: VirtualClock;
let used: number;
/** Processor time that the work of a route takes, ms. */
let cost: number;
let known: Set<string>;
let server: FastifyInstance;
beforeEach(() => {
  clock = new VirtualClock();
  [used, cost, known] = [0, 0, new Set(["known"])];
  server = build();
});

function build(budget?: AnonymousBudget): FastifyInstance {
  const addresses = new Addresses(["127.0.0.1", "192.0.2.9"]);
  return buildServer({
    routes: routes(),
    authenticator: {
      knows: (header) => known.has(header ?? ""),
      returning: () => undefined,
      authenticate: async (header) => {
        if (header !== "known" && header !== "new") throw new NamedError("Token Invalid");
        known.add(header);
        return { kind: "account", tokenId: "tok_1", accountId: "acc_1", ecosystemIds: [] } as unknown as Presenter;
      },
    },
    anonymous: new AnonymousRequests({ clock, processorTime: () => used, addresses, ...(budget && { budget }) }),
    lateRefusals: new LateRefusals({ clock, random: seededRandom(1) }),
    addresses,
    log: silentLog,
    requestId: () => "the-request",
  });
}
afterEach(() => server.close());

function routes(): Route[] {
  const declared = { operationId: "work", tag: "service", summary: "Work", answers: { 200: undefined } } as const;
  const handle = async () => {
    used += cost;
    return done();
  };
  const body = bodyOf(z.strictObject({ a: z.number() }));
  return [
    defineOpenRoute({ ...declared, method: "GET", path: "/api/open", handle }),
    defineOpenRoute({ ...declared, method: "PUT", whenFull: "refused", path: "/api/open", body, handle }),
    defineOpenRoute({ ...declared, method: "GET", path: "/healthz", handle }),
    defineRoute({ ...declared, method: "GET", path: "/api/own", tokens: A, handle }),
  ];
}

interface Ask {
  readonly method?: "GET" | "PUT";
  readonly token?: string;
  readonly body?: object;
  /** As the proxy reports it. */
  readonly from?: string;
}

function ask(url: string, { method = "GET", token, body, from = "203.0.113.1" }: Ask = {}) {
  const headers = { "x-forwarded-for": from, ...(token && { authorization: token }) };
  return server.inject({ method, url, headers, ...(body && { payload: body }) });
}

/** Uses up the budget of all, and all that they can wait for. */
async function useUp(from?: string): Promise<void> {
  cost = 600;
  expect((await ask("/api/open", from ? { from } : {})).statusCode).toBe(200);
  cost = 0;
}

const titleOf = async (answer: ReturnType<typeof ask>) => {
  const { statusCode, payload } = await answer;
  return statusCode === 200 ? "OK" : JSON.parse(payload).title;
};

describe("past its budget an address is refused", () => {
  it.each([
    ["a route without a token", "/api/open", {}],
    ["one that takes a token, without it", "/api/own", {}],
    ["one that takes a token, with a bad one", "/api/own", { token: "bad" }],
    ["a route without a token, with a good one", "/api/open", { token: "known" }],
    ["what is not there", "/api/nothing", { token: "known" }],
    ["a page that is not there", "/nothing", {}],
    ["what is no URL", "/%zz", {}],
    ["a method that is not there", "/api/own", { method: "PUT" }],
    ["a probe that a proxy has handed on", "/healthz", {}],
  ] as const)("at %s", async (_name, url, options) => {
    await useUp();
    const refused = await ask(url, options);
    expect([refused.statusCode, refused.json().title, refused.headers["retry-after"]]).toEqual([
      429,
      "Rate Limit Exceeded",
      expect.stringMatching(/^[12]$/),
    ]);
    expect(refused.headers).toMatchObject({
      "content-type": "application/problem+json",
      "x-api-version": "v0",
      "x-request-id": "the-request",
      "x-content-type-options": "nosniff",
    });
  });

  it("not with a token that has been good before, nor with a new one that is", async () => {
    await useUp("203.0.113.2");
    expect(await titleOf(ask("/api/own", { token: "known", from: "203.0.113.2" }))).toBe("OK");
    await clock.advance(1_000);
    const first = ask("/api/own", { token: "new", from: "203.0.113.2" });
    await clock.advance(2_000);
    expect(await titleOf(first)).toBe("OK");
    await useUp("203.0.113.2");
    expect(await titleOf(ask("/api/own", { token: "new", from: "203.0.113.2" }))).toBe("OK");
  });

  it("not at a probe of this machine's, or of a trusted proxy's own", async () => {
    await useUp("127.0.0.1");
    for (const remoteAddress of ["127.0.0.1", "::1", "192.0.2.9"])
      expect((await server.inject({ url: "/healthz", remoteAddress })).statusCode).toBe(200);
  });

  it("until its budget is there again", async () => {
    await useUp();
    await clock.advance(3_000);
    expect(await titleOf(ask("/api/open"))).toBe("OK");
  });

  it("with all of its network, and with no other", async () => {
    await server.close();
    const ofAddress = { perSecond: 1, burst: 1 };
    server = build(new AnonymousBudget({ ofAll: { perSecond: 10_000, burst: 10_000 }, ofAddress }));
    await useUp("2001:db8::1");
    expect(await titleOf(ask("/api/open", { from: "2001:db8::ffff:2" }))).toBe("Rate Limit Exceeded");
    expect(await titleOf(ask("/api/open", { from: "2001:db8:0:1::1" }))).toBe("OK");
  });
});

it("what all anonymous requests use together is bounded too; a good token does not feel it", async () => {
  for (let n = 0; n < 3; n++) await useUp(`203.0.113.${n}`).catch(() => undefined);
  expect(await titleOf(ask("/api/open", { from: "203.0.113.99" }))).toBe("Rate Limit Exceeded");
  for (let n = 0; n < 100; n++) expect(await titleOf(ask("/api/own", { token: "known" }))).toBe("OK");
});

it("a request that has to wait a little is answered then", async () => {
  cost = 30;
  // A body is handled in a turn of its own, and measured too.
  await ask("/api/open", { method: "PUT", body: { a: 1 } });
  let answered = false;
  const waiting = ask("/api/open").then(({ statusCode }) => {
    answered = true;
    return statusCode;
  });
  await clock.advance(100);
  expect(answered).toBe(false);
  await clock.advance(100);
  expect(await waiting).toBe(200);
});

it("requests with a valid token are charged to no budget", async () => {
  cost = 1_000;
  expect(await titleOf(ask("/api/own", { token: "new" }))).toBe("OK");
  for (let n = 0; n < 5; n++) expect(await titleOf(ask("/api/own", { token: "known" }))).toBe("OK");
  expect(await titleOf(ask("/api/open"))).toBe("OK");
});

it("refused twenty times at once, an address is answered late", async () => {
  await useUp();
  for (let n = 0; n < 20; n++) expect(await titleOf(ask("/api/open"))).toBe("Rate Limit Exceeded");
  const late = ask("/api/open");
  expect(await Promise.race([late.then(() => "answered"), Promise.resolve("waits")])).toBe("waits");
  await clock.advance(2_000);
  expect(await titleOf(late)).toBe("Rate Limit Exceeded");
});

it("what is held is answered when the service ends", async () => {
  await useUp();
  const asked = Array.from({ length: 25 }, () => titleOf(ask("/api/open")));
  await Promise.all(asked.slice(0, 20));
  await server.close();
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 25 }, () => "Rate Limit Exceeded"));
});
