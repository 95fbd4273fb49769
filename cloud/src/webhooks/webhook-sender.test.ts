/** One attempt at a receiver who is a stranger, over real sockets: where no connection may open, and where one must not be endless. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readNetworks } from "./callback-url.ts";
import { NOT_PUBLIC } from "./hostile.fixture.ts";
import { Connections, MOST_ANSWER, type Resolve, type Sent, TIME_LIMIT, WebhookSender } from "./webhook-sender.ts";

const MESSAGE = { headers: { "content-type": "application/json" }, body: "{}" };
const never = new AbortController().signal;

/** A receiver in bytes: what it does with a connection once a request has come. */
class Bytes implements AsyncDisposable {
  readonly server: Server;
  readonly sockets = new Set<Socket>();
  connections = 0;
  asked = "";
  constructor(react: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.sockets.delete(socket));
      let isAsked = false;
      socket.on("data", (data) => {
        this.asked += data;
        if (!isAsked) react(socket);
        isAsked = true;
      });
    });
  }
  async listen(): Promise<number> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return address.port;
  }
  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

let clock: VirtualClock;
let connections: Connections;
beforeEach(() => {
  clock = new VirtualClock();
  connections = new Connections();
});
afterEach(() => connections[Symbol.asyncDispose]());

const unknown: Resolve = () => Promise.reject(new Error("no such name"));
const sender = (resolve: Resolve = unknown, allowed: readonly string[] = ["127.0.0.0/8"]) =>
  new WebhookSender({ clock, connections, resolve, networks: readNetworks(allowed) });

/** Of a receiver that does this. */
async function sentTo(react: (socket: Socket) => void, during?: () => Promise<void>): Promise<Sent & { bytes: Bytes }> {
  await using bytes = new Bytes(react);
  const sending = sender().send(`http://127.0.0.1:${await bytes.listen()}/`, MESSAGE, never);
  await during?.();
  return { ...(await sending), bytes };
}

/** The clock goes on until then. */
async function secondsUntil(sending: Promise<unknown>): Promise<void> {
  let isOpen = true;
  const end = () => {
    isOpen = false;
  };
  void sending.then(end, end);
  while (isOpen) await clock.advance(1_000);
}

const status = (sent: Sent) => (sent.outcome.kind === "answered" ? sent.outcome.status : sent.outcome.error);

describe("where nothing may be sent", () => {
  it("no name leads to any class of address", async () => {
    await using bytes = new Bytes((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const port = await bytes.listen();
    for (const address of NOT_PUBLIC) {
      const resolve: Resolve = async () => [address];
      const sent = await sender(resolve, []).send(`https://receiver.example:${port}/`, MESSAGE, never);
      expect([address, status(sent)]).toEqual([address, "the address is not public"]);
    }
    expect(bytes.connections).toBe(0);
  });

  it("no literal address leads, although an earlier check admitted it", async () => {
    for (const address of NOT_PUBLIC.filter((each) => !each.includes("%"))) {
      const host = address.includes(":") ? `[${address}]` : address;
      const sent = await sender(unknown, []).send(`https://${host}:9/`, MESSAGE, never);
      expect([address, status(sent)]).toEqual([address, "the address is not public"]);
    }
  });

  it("one bad address among good ones is reason enough", async () => {
    const resolve: Resolve = async () => ["8.8.8.8", "127.0.0.1"];
    expect(status(await sender(resolve, []).send("https://receiver.example/", MESSAGE, never))).toMatch(/public/);
  });

  it("a name that changes its address is judged again at every attempt", async () => {
    await using bytes = new Bytes((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    const port = await bytes.listen();
    const answers = [["127.0.0.1"], ["10.0.0.1"], ["127.0.0.1"], ["::1"], ["169.254.169.254"]];
    const asked = [];
    const rebinding = sender(async () => answers[asked.length] ?? []);
    for (const _ of answers)
      asked.push(status(await rebinding.send(`http://receiver.example:${port}/`, MESSAGE, never)));
    const refused = "the address is not public";
    expect(asked).toEqual([200, refused, 200, refused, refused]);
  });

  it("plain http goes to no public address, also when a name means one", async () => {
    const resolve: Resolve = async () => ["8.8.8.8"];
    expect(status(await sender(resolve).send("http://receiver.example/", MESSAGE, never))).toMatch(/plain http/);
  });

  it("a redirect is not followed", async () => {
    await using inside = new Bytes((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const port = await inside.listen();
    const sent = await sentTo((socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 0\r\n\r\n`),
    );
    expect([status(sent), inside.connections]).toEqual([302, 0]);
  });
});

describe("a receiver", () => {
  it("that is known by name gets the name, at the address that was judged", async () => {
    await using bytes = new Bytes((socket) => socket.end("HTTP/1.1 204 No Content\r\n\r\n"));
    const port = await bytes.listen();
    const sent = await sender(async () => ["127.0.0.1"]).send(`http://receiver.example:${port}/a?b=c`, MESSAGE, never);
    expect(status(sent)).toBe(204);
    expect(bytes.asked).toMatch(/^POST \/a\?b=c HTTP\/1\.1\r\n/);
    expect(bytes.asked.toLowerCase()).toContain(`host: receiver.example:${port}\r\n`);
  });

  it("that hangs is given up after fifteen seconds", async () => {
    const asked = Promise.withResolvers<void>();
    const sent = await sentTo(
      () => asked.resolve(),
      async () => {
        await asked.promise;
        await clock.advance(TIME_LIMIT - 1);
        await clock.advance(1);
      },
    );
    expect(sent).toMatchObject({ outcome: { kind: "failed", error: "no answer within 15 s" }, durationMs: TIME_LIMIT });
  });

  it("whose name hangs is given up after fifteen seconds", async () => {
    const sending = sender(() => new Promise(() => undefined)).send("https://receiver.example/", MESSAGE, never);
    expect(status(await clock.until(sending))).toBe("no answer within 15 s");
  });

  it("that drips its headers is given up after fifteen seconds", async () => {
    const asked = Promise.withResolvers<void>();
    const sent = await sentTo(
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nx: ");
        asked.resolve();
      },
      async () => {
        await asked.promise;
        for (let second = 0; second < 15; second++) await clock.advance(1_000);
      },
    );
    expect(status(sent)).toBe("no answer within 15 s");
  });

  it("that drips its body counts as answered, and is kept no longer than the others", async () => {
    const dripping = Promise.withResolvers<void>();
    const sending = sentTo((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nfirst", () => dripping.resolve());
    });
    await dripping.promise;
    // A byte may still be on its way when it has been written.
    await secondsUntil(sending);
    const sent = await sending;
    expect([status(sent), sent.response?.body]).toEqual([200, "first"]);
  });

  it("that answers without end is read as far as it is kept", async () => {
    let written = 0;
    const sent = await sentTo((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk)) written += 65_536;
        if (!socket.destroyed) socket.once("drain", pour);
      };
      pour();
    });
    expect([status(sent), sent.response?.body.length]).toEqual([200, MOST_ANSWER]);
    expect(written).toBeLessThan(50_000_000);
  });

  it.each([
    ["says more than it sends", "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nshort", 200],
    ["sends more than it says", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nlonger than that", 200],
    ["speaks no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", /is not HTTP/],
    ["has headers without end", `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}`, /too large/],
    ["breaks off", "HTTP/1.1 200", /broke/],
    ["sends what no store keeps", "HTTP/1.1 500 No\r\ncontent-length: 3\r\n\r\na\0b", 500],
  ])("that %s ends the attempt, and nothing else", async (_what, bytes, expected) => {
    const sent = await sentTo((socket) => socket.end(bytes));
    if (expected instanceof RegExp) expect(status(sent)).toMatch(expected);
    else expect(status(sent)).toBe(expected);
    expect(sent.response?.body ?? "").not.toContain("\0");
  });

  it.each([
    ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
    ["102 and 103", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
    ["100 Continue twice", "HTTP/1.1 100 Continue\r\n\r\n".repeat(2)],
  ])("that says %s first is judged by its answer", async (_what, interim) => {
    const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
    const sent = await sentTo((socket) => socket.write(interim, () => socket.write(answer)));
    expect([status(sent), sent.response]).toEqual([200, { headers: { "content-length": "2" }, body: "ok" }]);
    expect(status(await sentTo((socket) => socket.write(`${interim}${answer}`)))).toBe(200);
    expect(status(await sentTo((socket) => socket.end(interim)))).toBe("the connection broke");
  });

  it("that sends only interim responses is no success", async () => {
    const interim = "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(101);
    expect(status(await sentTo((socket) => socket.write(interim)))).toMatch(/without end/);
  });

  it("that switches protocols unasked is no success", async () => {
    const answer = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    expect(status(await sentTo((socket) => socket.write(answer)))).toMatch(/without an answer/);
  });

  it("keeps its connection for the next delivery", async () => {
    await using bytes = new Bytes(() => undefined);
    const port = await bytes.listen();
    bytes.server.on("connection", (socket) =>
      socket.on("data", () => socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")),
    );
    const to = sender();
    for (let delivery = 0; delivery < 3; delivery += 1)
      expect(status(await to.send(`http://127.0.0.1:${port}/`, MESSAGE, never))).toBe(204);
    expect(bytes.connections).toBe(1);
  });

  it.each([
    ["of another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["without a head", "ok"],
    ["of HTTP with a status that is none", "HTTP/1.1 undefined\r\n\r\n"],
  ])("that answers with text %s is reported to answer no HTTP", async (_what, text) => {
    expect(status(await sentTo((socket) => socket.end(text)))).toBe("the answer is not HTTP");
  });

  it("that has no TLS where the URL requires it is reported as such", async () => {
    await using bytes = new Bytes((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const port = await bytes.listen();
    expect(status(await sender().send(`https://127.0.0.1:${port}/`, MESSAGE, never))).toBe(
      "the receiver does not answer with TLS",
    );
  });

  it("that resets the connection, or is not there, is no success", async () => {
    expect(status(await sentTo((socket) => socket.resetAndDestroy()))).toBe("the connection broke");
    const gone = new Bytes(() => undefined);
    const port = await gone.listen();
    await gone[Symbol.asyncDispose]();
    expect(status(await sender().send(`http://127.0.0.1:${port}/`, MESSAGE, never))).toBe("the connection was refused");
    expect(status(await sender().send("https://nowhere.example/", MESSAGE, never))).toBe(
      "the host name cannot be resolved",
    );
  });

  it.each([
    ["120", 120_000],
    ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
    ["yesterday", undefined],
    ["soon", undefined],
  ])("that asks for time until %j is heard", async (text, retryAfter) => {
    const sent = await sentTo((socket) =>
      socket.end(`HTTP/1.1 503 No\r\nretry-after: ${text}\r\ncontent-length: 0\r\n\r\n`),
    );
    expect(sent.outcome).toEqual({ kind: "answered", status: 503, retryAfter });
  });

  it("is let go at once when the service stops", async () => {
    const stop = new AbortController();
    await using bytes = new Bytes(() => stop.abort(new Error("the service stops")));
    const sending = sender().send(`http://127.0.0.1:${await bytes.listen()}/`, MESSAGE, stop.signal);
    await expect(sending).rejects.toThrow("the service stops");
  });
});
