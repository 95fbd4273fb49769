import { once } from "node:events";
import { createServer as createHttp, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { TEST_CA, TEST_CERTIFICATE, TEST_KEY } from "@porchlight/driver-kit/links/tls.fixture.ts";
import { systemClock, VirtualClock } from "@porchlight/shared/kernel";
import type { MessageSocket } from "@porchlight/shared/tunnel";
import { afterEach, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { DialRefused, tunnelUrl } from "./dial.ts";
import { webSocketDial } from "./websocket.ts";

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A cloud that upgrades; `clients` are its ends. */
function webSockets(server: Server) {
  const clients: WebSocket[] = [];
  const seen: { authorization?: string | undefined; protocol?: string | undefined; host?: string | undefined }[] = [];
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] ?? false });
  sockets.on("connection", (socket, request) => {
    const { authorization, host } = request.headers;
    seen.push({ authorization, protocol: socket.protocol, host });
    clients.push(socket);
    socket.send("at once");
  });
  return { clients, seen };
}

/** What comes out of a socket, one after another. */
function heard(socket: MessageSocket) {
  const received: (string | number)[] = [];
  let waiting: (() => void) | undefined;
  const take = (what: string | number) => {
    received.push(what);
    waiting?.();
  };
  socket.listen({ message: take, closed: take });
  return async () => {
    while (received.length === 0) await new Promise<void>((resolve) => (waiting = resolve));
    return received.shift();
  };
}

const dial = (env: Record<string, string> = {}, ca?: string) => webSocketDial({ clock: systemClock, env, ca });
const forever = new AbortController().signal;
const address = (base: string) => tunnelUrl(base).href;

describe("the tunnel's address", () => {
  test.each([
    ["https://cloud.example", "wss://cloud.example/api/tunnel"],
    ["http://127.0.0.1:8080/", "ws://127.0.0.1:8080/api/tunnel"],
    ["https://example.com/porchlight/?x#y", "wss://example.com/porchlight/api/tunnel"],
  ])("of %s is %s", (base, tunnel) => {
    expect(tunnelUrl(base).href).toBe(tunnel);
  });
});

describe("a real socket", () => {
  test("carries the token and the subprotocol, and messages that arrive before a listener is there", async () => {
    const server = createHttp();
    const { seen } = webSockets(server);
    const port = await listening(server);
    const socket = await dial()(address(`http://127.0.0.1:${port}`), "plt_cli_x", forever);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await heard(socket)()).toBe("at once");
    expect(seen).toEqual([
      { authorization: "Bearer plt_cli_x", protocol: "porchlight.tunnel.v1", host: `127.0.0.1:${port}` },
    ]);
    socket.close(1001, "stopping");
  });

  test("carries messages both ways, and ends with the code that the other side gives", async () => {
    const server = createHttp();
    const { clients } = webSockets(server);
    const socket = await dial()(address(`http://127.0.0.1:${await listening(server)}`), "t", forever);
    const next = heard(socket);
    await next();
    const [cloud] = clients;
    const reached = once(cloud as WebSocket, "message");
    await new Promise<void>((sent) => socket.send("hello", sent));
    expect(String((await reached)[0])).toBe("hello");
    cloud?.close(4001, "superseded");
    expect(await next()).toBe(4001);
  });

  test("ends as malformed on a binary message, and without a code when the line breaks", async () => {
    const server = createHttp();
    const { clients } = webSockets(server);
    const url = address(`http://127.0.0.1:${await listening(server)}`);
    const binary = heard(await dial()(url, "t", forever));
    await binary();
    const closed = once(clients[0] as WebSocket, "close");
    clients[0]?.send(Buffer.from([1, 2, 3]));
    expect((await closed)[0]).toBe(4005);
    const broken = heard(await dial()(url, "t", forever));
    await broken();
    clients[1]?.terminate();
    expect(await broken()).toBe(1006);
  });

  test("a cloud that reads the close seconds later, after a send of its own, gets the code of the close", async () => {
    const server = createHttp();
    const { clients } = webSockets(server);
    const clock = new VirtualClock();
    const url = `ws://127.0.0.1:${await listening(server)}/tunnel`;
    const socket = await webSocketDial({ clock, env: {} })(url, "token", forever);
    heard(socket);
    const [cloud] = clients;
    if (!cloud) throw new Error("no connection");
    const ended = once(cloud, "close");
    cloud.pause();
    socket.close(1001, "stopping");
    await clock.advance(8_000);
    for (let n = 0; n < 3; n++) await new Promise((sent) => cloud.send("more", sent));
    cloud.resume();
    expect((await ended)[0]).toBe(1001);
  });

  test("does not take a message larger than 256 KiB", async () => {
    const server = createHttp();
    const { clients } = webSockets(server);
    const next = heard(await dial()(address(`http://127.0.0.1:${await listening(server)}`), "t", forever));
    await next();
    clients[0]?.send("x".repeat(256 * 1024 + 1));
    expect(await next()).toBe(1006);
  });

  test("a refusal before the upgrade keeps its status and its retry-after", async () => {
    const server = createHttp((_request, response) => {
      response.writeHead(429, { "retry-after": "17" }).end();
    });
    server.on("upgrade", (_request, socket) => {
      socket.end("HTTP/1.1 429 Too Many Requests\r\nretry-after: 17\r\ncontent-length: 0\r\n\r\n");
    });
    const refused = dial()(address(`http://127.0.0.1:${await listening(server)}`), "t", forever);
    await expect(refused).rejects.toEqual(expect.objectContaining({ status: 429, retryAfterMs: 17_000 }));
    await expect(refused).rejects.toBeInstanceOf(DialRefused);
  });

  test("a dial is given up when it is aborted", async () => {
    const server = createHttp();
    server.on("upgrade", () => undefined);
    const port = await listening(server);
    const stop = new AbortController();
    const dialled = dial()(address(`http://127.0.0.1:${port}`), "t", stop.signal);
    await once(server, "upgrade");
    stop.abort(new Error("enough"));
    await expect(dialled).rejects.toThrow("enough");
  });
});

describe("a private CA", () => {
  test("is trusted when it is given, and not otherwise", async () => {
    const server = createHttps({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    webSockets(server);
    const url = address(`https://localhost:${await listening(server)}`);
    await expect(dial()(url, "t", forever)).rejects.toThrow(/certificate/);
    const next = heard(await dial({}, TEST_CA)(url, "t", forever));
    expect(await next()).toBe("at once");
  });
});

describe("a proxy", () => {
  /** A proxy that requires these credentials, if any, and keeps where it was asked to connect. */
  async function proxy(credentials?: string) {
    const asked: string[] = [];
    const server = createHttp();
    server.on("connect", (request, client, head) => {
      asked.push(request.url ?? "");
      const expected = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
      if (expected && request.headers["proxy-authorization"] !== expected) {
        client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        return;
      }
      const target = connect(Number(new URL(`http://${request.url}`).port), "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        target.write(head);
        client.pipe(target).pipe(client);
      });
      for (const end of [client, target]) end.on("error", () => undefined);
    });
    return { asked, port: await listening(server) };
  }

  test("that HTTPS_PROXY names carries the tunnel, TLS to the cloud inside", async () => {
    const server = createHttps({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    const { seen } = webSockets(server);
    const cloud = await listening(server);
    const { asked, port } = await proxy("user:pass word");
    const env = { HTTPS_PROXY: `http://user:pass%20word@127.0.0.1:${port}` };
    const next = heard(await dial(env, TEST_CA)(address(`https://localhost:${cloud}`), "t", forever));
    expect(await next()).toBe("at once");
    expect(asked).toEqual([`localhost:${cloud}`]);
    expect(seen[0]?.host).toBe(`localhost:${cloud}`);
  });

  test("that refuses is reported as such, without its password", async () => {
    const { port } = await proxy("user:right");
    const env = { HTTPS_PROXY: `http://user:wrong@127.0.0.1:${port}` };
    const dialled = dial(env, TEST_CA)("wss://localhost:1/api/tunnel", "t", forever);
    await expect(dialled).rejects.toThrow("the proxy answered 407");
    await expect(dialled).rejects.not.toThrow("wrong");
  });

  test("is passed by for what NO_PROXY names", async () => {
    const server = createHttps({ cert: TEST_CERTIFICATE, key: TEST_KEY });
    webSockets(server);
    const cloud = await listening(server);
    const { asked, port } = await proxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "example.com, localhost" };
    const next = heard(await dial(env, TEST_CA)(address(`https://localhost:${cloud}`), "t", forever));
    expect(await next()).toBe("at once");
    expect(asked).toEqual([]);
  });
});
