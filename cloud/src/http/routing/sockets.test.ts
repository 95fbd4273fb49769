import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { silentLog } from "@porchlight/shared/kernel";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { SeenRequest } from "../../ops/index.ts";
import { buildServer } from "../server.ts";
import { bodyOf } from "./body-rules.ts";
import { PageText } from "./page.ts";
import { defineOpenRoute, done, ok, type Route } from "./route.ts";

/** Routes that wait, and what the test learns of their calls. */
interface WaitingRoutes {
  /** Settles when the signal of a call fires. */
  readonly left: Promise<string>;
  /** Settles when a call has begun. */
  readonly begun: Promise<void>;
  readonly finish: () => void;
  readonly routes: Route[];
}

const SLICE = `${"x".repeat(64 * 1024 - 1)},`;
let made = 0;
let ended: Promise<void>;
let server: FastifyInstance;
let waiting: WaitingRoutes;
let logged: { readonly level: "error" | "debug"; readonly fields: object }[];
let seen: Pick<SeenRequest, "method" | "status" | "problem">[];
/** Settles with the first request that watchers observe. */
let watched: PromiseWithResolvers<void>;
beforeEach(async () => {
  waiting = waitingRoutes();
  logged = [];
  seen = [];
  watched = Promise.withResolvers();
  server = buildServer({
    routes: [...waiting.routes, endlessRoute(), largePageRoute()],
    authenticator: {
      knows: () => false,
      returning: () => undefined,
      authenticate: () => Promise.reject(new Error("nobody asks")),
    },
    log: {
      ...silentLog,
      error: (fields) => logged.push({ level: "error", fields }),
      debug: (fields) => logged.push({ level: "debug", fields }),
    },
    watchers: [
      {
        observe({ method, status, problem }) {
          seen.push({ method, status, problem });
          watched.resolve();
        },
      },
    ],
    requestId: () => "the-request",
    requestTimeoutMs: 120,
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(() => server.close());

function waitingRoutes(): WaitingRoutes {
  const left = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const handle = async ({ signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => left.resolve("left"));
    begun.resolve();
    await Promise.race([finish.promise, left.promise]);
    return done();
  };
  const answers = { 200: undefined };
  const declared = { path: "/api/wait", operationId: "wait", tag: "service", summary: "Wait", answers } as const;
  return {
    left: left.promise,
    begun: begun.promise,
    finish: finish.resolve,
    routes: [
      defineOpenRoute({ ...declared, method: "GET", handle }),
      defineOpenRoute({
        ...declared,
        path: "/api/fail-when-left",
        method: "GET",
        handle: async (call) => {
          await handle(call);
          throw new Error("what it waited for has been given up");
        },
      }),
      defineOpenRoute({
        ...declared,
        method: "PUT",
        whenFull: "refused",
        body: bodyOf(z.strictObject({ value: z.number() })),
        handle,
      }),
    ],
  };
}

/** More than any socket holds. */
function endlessRoute(): Route {
  made = 0;
  const end = Promise.withResolvers<void>();
  ended = end.promise;
  async function* slices() {
    try {
      for (;;) {
        made += 1;
        yield SLICE;
      }
    } finally {
      end.resolve();
    }
  }
  return defineOpenRoute({
    method: "GET",
    path: "/api/endless",
    operationId: "neverEnd",
    tag: "service",
    summary: "Never end",
    answers: { 200: undefined },
    handle: async () => ok(Readable.from(slices(), { objectMode: false })),
  });
}

const LARGE_ITEM = JSON.stringify({ text: "0123456789".repeat(100_000) });
const LARGE_ITEMS = 40;
let sent: boolean;

/** A page that no socket takes at once. */
function largePageRoute(): Route {
  sent = false;
  return defineOpenRoute({
    method: "GET",
    path: "/api/large-page",
    operationId: "getLargePage",
    tag: "service",
    summary: "Get a large page",
    answers: { 200: undefined },
    handle: async () => {
      const page = new PageText(64 * 1024 * 1024, async () => undefined);
      for (let n = 0; n < LARGE_ITEMS; n++) await page.add(LARGE_ITEM);
      const answer = page.answer();
      const onSent = () => {
        sent = true;
        answer.onSent?.();
      };
      return { ...answer, onSent };
    },
  });
}

async function open(): Promise<Socket> {
  const at = server.server.address();
  if (at === null || typeof at === "string") throw new Error("nothing listens");
  const socket = connect(at.port, at.address);
  await once(socket, "connect");
  return socket;
}

const GET = "GET /api/wait HTTP/1.1\r\nhost: x\r\n\r\n";
const PUT =
  'PUT /api/wait HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"value":1}';

describe("a caller that goes away", () => {
  it.each([
    ["GET", GET],
    ["PUT with a body", PUT],
  ])("during a %s is noticed at once", async (_name, request) => {
    const socket = await open();
    socket.write(request);
    await waiting.begun;
    socket.destroy();
    expect(await waiting.left).toBe("left");
  });

  it.each([
    ["before its answer", GET],
    ["before its answer, after a body", PUT],
  ])("%s has the status 499, which is no error", async (_name, request) => {
    const socket = await open();
    socket.write(request);
    await waiting.begun;
    socket.destroy();
    await watched.promise;
    expect(seen).toEqual([{ method: request.slice(0, 3), status: 499, problem: undefined }]);
    expect(logged).toEqual([]);
  });

  it("in the middle of its body has the status 499 too, and is in the debug log", async () => {
    const socket = await open();
    socket.write(PUT.slice(0, -3));
    await once(server.server, "request");
    socket.destroy();
    await watched.promise;
    expect(seen).toEqual([{ method: "PUT", status: 499, problem: undefined }]);
    expect(logged.map(({ level }) => level)).toEqual(["debug"]);
  });

  it("and whose request fails because of that is no error either", async () => {
    const socket = await open();
    socket.write(GET.replace("wait", "fail-when-left"));
    await waiting.begun;
    socket.destroy();
    await watched.promise;
    expect(seen).toEqual([{ method: "GET", status: 499, problem: undefined }]);
    expect(logged.map(({ level }) => level)).toEqual(["debug"]);
  });

  it("after its answer, or with it, is none", async () => {
    const socket = await open();
    socket.write(PUT);
    await waiting.begun;
    waiting.finish();
    await once(socket, "data");
    socket.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual([{ method: "PUT", status: 200, problem: undefined }]);
    expect(await Promise.race([waiting.left, Promise.resolve("stayed")])).toBe("stayed");
  });

  it("in the middle of a long answer ends the work on it", async () => {
    const socket = await open();
    socket.write("GET /api/endless HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    await ended;
  });
});

it("a reader that stops reading holds up its own answer, and no more of it is made", async () => {
  const socket = await open();
  socket.write("GET /api/endless HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(socket, "data");
  socket.pause();
  let before = -1;
  // Until the buffers of both ends are full.
  while (made !== before) {
    before = made;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(made * SLICE.length).toBeLessThan(32 * 1024 * 1024);
  socket.destroy();
  await ended;
});

it("the memory of a page is not released before a slow reader has got all of it", async () => {
  const socket = await open();
  socket.write("GET /api/large-page HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  await once(socket, "readable");
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toBe(false);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { items } = JSON.parse(text.slice(text.indexOf("\r\n\r\n")));
  expect(items.map((item: unknown) => JSON.stringify(item) === LARGE_ITEM)).toEqual(Array(LARGE_ITEMS).fill(true));
  expect(sent).toBe(true);
});

describe("a request that comes too slowly", () => {
  it.each([
    ["head", "GET /api/wait HTTP/1.1\r\nhost: x\r\nx-slow: "],
    ["body", PUT.slice(0, -3)],
  ])("in its %s is answered 408 and cut off", async (_part, bytes) => {
    const socket = await open();
    let text = "";
    socket.on("data", (data) => {
      text += data;
    });
    socket.write(bytes);
    await once(socket, "close");
    expect(text).toMatch(/^HTTP\/1\.1 408 .*content-type: application\/problem\+json.*"status":408/s);
  });
});
