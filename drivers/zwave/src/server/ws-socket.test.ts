/** The real socket: what is thrown when something else answers, or nothing; what is too large; and the end. */
import { createServer as createHttp } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { NoZwaveServer, openByWebSocket, ServerNotReached } from "./ws-socket.ts";

const stack: (() => void)[] = [];
afterEach(() => {
  for (const close of stack.splice(0)) close();
});

async function listening(server: Server): Promise<string> {
  stack.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const NO_ONE = { text: () => undefined, pong: () => undefined, closed: () => undefined };
const open = (url: string, signal = new AbortController().signal) => openByWebSocket(url)(NO_ONE, signal);

describe("a WebSocket to a Z-Wave server", () => {
  test("is not opened to a web page: something else answers there", async () => {
    const url = await listening(createHttp((_request, response) => void response.end("a page")));
    await expect(open(url)).rejects.toEqual(
      new NoZwaveServer("what answers there is no WebSocket server (status 200)"),
    );
  });

  test("is not opened to a server of another protocol", async () => {
    const url = await listening(
      createServer((socket) => void socket.on("error", () => undefined).end("220 mail.home ESMTP\r\n")),
    );
    await expect(open(url)).rejects.toBeInstanceOf(NoZwaveServer);
  });

  test("is not opened where nothing listens", async () => {
    const server = createServer();
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(open(url)).rejects.toBeInstanceOf(ServerNotReached);
  });

  test("is given up when no caller wants it any more", async () => {
    const url = await listening(createServer((socket) => void socket.on("error", () => undefined)));
    const ending = new AbortController();
    const opening = open(url, ending.signal);
    ending.abort(new Error("the driver stops"));
    await expect(opening).rejects.toThrow("the driver stops");
  });

  test("hands on texts and pongs, and reports once that it was closed", async () => {
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    stack.push(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    server.on("connection", (socket) => {
      socket.send("hello");
      socket.on("message", (data) => (String(data) === "bye" ? socket.close() : socket.send(`you said ${data}`)));
    });
    const heard: string[] = [];
    const closed = Promise.withResolvers<string>();
    const ponged = Promise.withResolvers<void>();
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const events = { text: (text: string) => void heard.push(text), pong: ponged.resolve, closed: closed.resolve };
    const socket = await openByWebSocket(url)(events, new AbortController().signal);
    socket.send("good day");
    socket.ping();
    await ponged.promise;
    socket.send("bye");
    expect(await closed.promise).toContain("the server has closed the connection");
    expect(heard).toEqual(["hello", "you said good day"]);
    socket.close();
  });
});
