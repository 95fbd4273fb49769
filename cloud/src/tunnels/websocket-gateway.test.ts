/** Where hubs connect, over real sockets on loopback: what is refused before the upgrade, and what becomes a tunnel (T1). */
import { createServer, type Server } from "node:http";
import { type Clock, NamedError, systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { TUNNEL_SUBPROTOCOL } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { LivingNodes } from "./rollout-target.ts";
import { TestNode, type TestNodeOptions } from "./tunnels.fixture.ts";
import { WebSocketGateway } from "./websocket-gateway.ts";

let testNode: TestNode;
let server: Server;
let gateway: WebSocketGateway;
let sockets: WebSocket[];

async function open(options: TestNodeOptions = {}, nodes?: () => LivingNodes, clock: Clock = systemClock) {
  testNode = await TestNode.open(options);
  const principal = await testNode.client();
  const another = await testNode.client();
  server = createServer();
  gateway = WebSocketGateway.start(server, {
    clock,
    nodes,
    log: testNode.log,
    tunnels: testNode.tunnels,
    authenticateClient: async (token) => {
      if (token === "server") throw new NamedError("Token Type Not Allowed");
      if (token === "another hub's") return another;
      if (token !== "good") throw new NamedError("Token Invalid");
      return principal;
    },
    refusal: (error) => ({
      status: error.status,
      headers: {
        "content-type": "application/problem+json",
        ...(error.retryAfter !== undefined && { "retry-after": String(error.retryAfter) }),
      },
      body: JSON.stringify({ title: error.name, status: error.status }),
    }),
    address: () => "127.0.0.1",
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  gateway[Symbol.dispose]();
  await new Promise((resolve) => server.close(resolve));
  await testNode[Symbol.asyncDispose]();
});

interface Met {
  readonly status: number;
  readonly title?: string;
  readonly retryAfter?: string | undefined;
  readonly protocol?: string;
  readonly extensions?: string;
  readonly first?: { readonly method: string };
}

/** Knocks, and says how it was met. */
function knock(
  path = "/api/tunnel",
  token: string | undefined = "good",
  protocols = [TUNNEL_SUBPROTOCOL],
  more: Readonly<Record<string, string>> = {},
): Promise<Met> {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("not listening");
  const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}${path}`, protocols, { headers });
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data) =>
      resolve({
        status: 101,
        protocol: socket.protocol,
        extensions: socket.extensions,
        first: JSON.parse(String(data)),
      }),
    );
    socket.on("unexpected-response", (_request, response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          title: JSON.parse(text).title,
          retryAfter: response.headers["retry-after"],
        }),
      );
    });
  });
}

it("a good token opens a tunnel without compression, and the cloud speaks first", async () => {
  await open();
  expect(await knock()).toMatchObject({
    status: 101,
    protocol: TUNNEL_SUBPROTOCOL,
    extensions: "",
    first: { method: "challenge" },
  });
  expect(await knock("/v0/api/tunnel")).toMatchObject({ status: 101 });
});

it("a ping is answered with what it brought", async () => {
  await open();
  await knock();
  const answer = Promise.withResolvers<string>();
  sockets[0]?.on("pong", (data) => answer.resolve(String(data)));
  sockets[0]?.ping("are you there");
  expect(await answer.promise).toBe("are you there");
});

it("what is not good is refused before the upgrade with a proper answer", async () => {
  await open();
  expect(await knock("/api/tunnel", "bad")).toMatchObject({ status: 401, title: "Token Invalid" });
  expect(await knock("/api/tunnel", "")).toMatchObject({ status: 401, title: "Token Missing" });
  expect(await knock("/api/tunnel", "server")).toMatchObject({ status: 403, title: "Token Type Not Allowed" });
  expect(await knock("/api/tunnel", "good", ["porchlight.tunnel.v9"])).toMatchObject({
    status: 404,
    title: "API Version Not Found",
  });
  expect(await knock("/api/tunnel", "good", undefined, { host: "cloud.example/path" })).toMatchObject({
    status: 400,
    title: "Host Invalid",
  });
  expect(await knock("/api/other")).toMatchObject({ status: 404, title: "Endpoint Not Found" });
});

it("handshakes past the rate are refused before the token is looked at, with the time to come back", async () => {
  await open({ settings: { handshakesPerSecond: 0.001, handshakeBurst: 1 } });
  expect(await knock()).toMatchObject({ status: 101 });
  expect(await knock("/api/tunnel", "bad")).toMatchObject({
    status: 429,
    title: "Rate Limit Exceeded",
    retryAfter: "60",
  });
});

it("a hub that connects more than once a second after the first thirty is refused with the time to come again", async () => {
  const clock = new VirtualClock();
  await open({}, undefined, clock);
  const met = await Promise.all(Array.from({ length: 31 }, () => knock()));
  expect(met.filter(({ status }) => status === 101)).toHaveLength(30);
  const refused = { status: 429, title: "Rate Limit Exceeded", retryAfter: "1" };
  expect(met.filter(({ status }) => status !== 101)).toEqual([refused]);
  expect(await knock("/api/tunnel", "another hub's")).toMatchObject({ status: 101 });
  await clock.advance(999);
  expect(await knock()).toMatchObject(refused);
  await clock.advance(1);
  expect(await knock()).toMatchObject({ status: 101 });
});

/** A client's frame must be masked (RFC 6455, 5.1). */
const UNMASKED = Buffer.from([0x81, 0x01, 0x61]);

it.for([
  ["a binary message", (socket: WebSocket) => socket.send(Buffer.from([1]))],
  ["text that is no JSON-RPC", (socket: WebSocket) => socket.send("[".repeat(1_000))],
  ["a frame that breaks RFC 6455", (socket: WebSocket) => Reflect.get(socket, "_socket").write(UNMASKED)],
] as const)("a connection that ends by %s counts as ten", async ([, break_]) => {
  const clock = new VirtualClock();
  await open({}, undefined, clock);
  const breaking = async () => {
    expect(await knock()).toMatchObject({ status: 101 });
    const socket = sockets.at(-1) as WebSocket;
    const closed = new Promise((resolve) => socket.once("close", resolve));
    break_(socket);
    await closed;
  };
  for (let times = 0; times < 3; times++) await breaking();
  expect(await knock()).toMatchObject({ status: 429, title: "Rate Limit Exceeded", retryAfter: "1" });
  await clock.advance(1_000);
  await breaking();
  expect(await knock()).toMatchObject({ status: 429, retryAfter: "10" });
});

it("a node that drains takes in no more", async () => {
  await open({ settings: { drainSpreadMs: 0 } });
  await testNode.tunnels.drain();
  expect(await knock()).toMatchObject({ status: 503, title: "Service Unavailable", retryAfter: "1" });
});

const OLD = { id: "old", started_at: 0 };
const living = (...others: (typeof OLD)[]) => ({ self: "old", living: [OLD, ...others] });
const SENT_ON = { status: 503, title: "Service Unavailable", retryAfter: "0" };

it("an old node sends a hub on to one that has just come, for five seconds, and then takes it in", async () => {
  const clock = new VirtualClock(3_600_000);
  await open({}, () => living({ ...OLD, id: "young", started_at: 3_599_000 }), clock);
  expect(await knock()).toMatchObject(SENT_ON);
  await clock.advance(4_900);
  expect(await knock()).toMatchObject(SENT_ON);
  expect(await knock("/api/tunnel", "bad")).toMatchObject(SENT_ON);
  await clock.advance(100);
  expect(await knock()).toMatchObject({ status: 101 });
});

it("hubs that are sent on take no place among the handshakes", async () => {
  const clock = new VirtualClock(3_600_000);
  const settings = { handshakesPerSecond: 0.001, handshakeBurst: 1 };
  await open({ settings }, () => living({ ...OLD, id: "young", started_at: 3_599_000 }), clock);
  for (let times = 0; times < 5; times++) expect(await knock()).toMatchObject(SENT_ON);
  await clock.advance(5_000);
  expect(await knock()).toMatchObject({ status: 101 });
});

it("a node that drains sends hubs to the others, and to none when there is none", async () => {
  let nodes = living({ ...OLD, id: "twin" });
  const clock = new VirtualClock();
  await open({ settings: { drainSpreadMs: 0 } }, () => nodes, clock);
  expect(await knock()).toMatchObject({ status: 101 });
  await testNode.tunnels.drain();
  expect(await knock()).toMatchObject(SENT_ON);
  await clock.advance(5_000);
  expect(await knock()).toMatchObject({ status: 503, retryAfter: "1" });
  nodes = living();
  expect(await knock("/api/tunnel", "another")).toMatchObject({ status: 503, retryAfter: "1" });
});

it("a message past 256 KiB, or one that is no text, ends the tunnel", async () => {
  await open();
  await knock();
  await knock();
  const [large, binary] = sockets;
  const closes = [large, binary].map((socket) => new Promise((resolve) => socket?.once("close", resolve)));
  large?.send("x".repeat(300 * 1024));
  binary?.send(Buffer.from([1, 2, 3]));
  expect(await Promise.all(closes)).toEqual([1009, 4005]);
});
