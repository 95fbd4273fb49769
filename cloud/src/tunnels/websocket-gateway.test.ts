/** The door for hubs over real sockets on loopback: what is refused before the upgrade, and what becomes a tunnel (guarantee 1). */
import { createServer, type Server } from "node:http";
import { NamedError, systemClock } from "@porchlight/shared/kernel";
import { TUNNEL_SUBPROTOCOL } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Room, type RoomOptions } from "./tunnels.fixture.ts";
import { WebSocketGateway } from "./websocket-gateway.ts";

let room: Room;
let server: Server;
let gateway: WebSocketGateway;
let sockets: WebSocket[];

async function open(options: RoomOptions = {}) {
  room = await Room.open(options);
  const principal = await room.client();
  server = createServer();
  gateway = WebSocketGateway.start(server, {
    clock: systemClock,
    log: room.log,
    tunnels: room.tunnels,
    authenticateClient: async (token) => {
      if (token === "server") throw new NamedError("Token Type Not Allowed");
      if (token !== "good") throw new NamedError("Token Invalid");
      return principal;
    },
    refusal: (error) => ({
      status: error.status,
      headers: {
        "content-type": "application/problem+json",
        ...(error.retryAfter && { "retry-after": String(error.retryAfter) }),
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
  await room[Symbol.asyncDispose]();
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
): Promise<Met> {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("not listening");
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
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

it("what is not good is refused before the upgrade with a proper answer", async () => {
  await open();
  expect(await knock("/api/tunnel", "bad")).toMatchObject({ status: 401, title: "Token Invalid" });
  expect(await knock("/api/tunnel", "")).toMatchObject({ status: 401, title: "Token Missing" });
  expect(await knock("/api/tunnel", "server")).toMatchObject({ status: 403, title: "Token Type Not Allowed" });
  expect(await knock("/api/tunnel", "good", ["porchlight.tunnel.v9"])).toMatchObject({
    status: 404,
    title: "API Version Not Found",
  });
  expect(await knock("/api/other")).toMatchObject({ status: 404, title: "Endpoint Not Found" });
});

it("handshakes past the rate are refused before the token is looked at, and told when to come back", async () => {
  await open({ settings: { handshakesPerSecond: 0.001, handshakeBurst: 1 } });
  expect(await knock()).toMatchObject({ status: 101 });
  expect(await knock("/api/tunnel", "bad")).toMatchObject({
    status: 429,
    title: "Rate Limit Exceeded",
    retryAfter: "60",
  });
});

it("a node that drains takes in no more", async () => {
  await open({ settings: { drainSpreadMs: 0 } });
  await room.tunnels.drain();
  expect(await knock()).toMatchObject({ status: 503, title: "Service Unavailable", retryAfter: "1" });
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
