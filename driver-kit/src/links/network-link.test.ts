import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from "node:tls";
import { systemClock, VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type NetworkEndpoint, openNetworkLink } from "./network-link.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "./tls.fixture.ts";

const NODE = "02-50-4C-53-00-01";
const KEY = Buffer.from("00112233445566778899aabbccddeeff", "hex");
vi.setConfig({ testTimeout: 60_000 });
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const listening = (server: Server) =>
  new Promise<number>((resolve) => {
    servers.push(server);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
const open = (endpoint: Partial<NetworkEndpoint> & { port: number }, signal = new AbortController().signal) =>
  openNetworkLink(systemClock, { address: "127.0.0.1", ...endpoint }, signal);
const psk = { identity: NODE, key: KEY };

/** What comes first, and why the line ends. */
function ears(link: ByteLink) {
  const heard = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<string>();
  link.listen((bytes) => heard.resolve(Buffer.from(bytes).toString()), closed.resolve);
  return { heard: heard.promise, closed: closed.promise };
}

/** A node that says how it was reached, and hears what the hub says. */
async function node(options: TlsOptions, keys: Record<string, Buffer> = { [NODE]: KEY }) {
  const server = createTlsServer(
    { pskCallback: (_socket, identity) => keys[identity] ?? null, ...options },
    (socket: TLSSocket) => {
      socket.on("error", () => undefined);
      socket.write(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
    },
  );
  server.on("tlsClientError", () => undefined);
  return listening(server);
}

describe("a line over TCP", () => {
  test("carries bytes both ways and says at once when the node closes it", async () => {
    const port = await listening(createServer((socket) => void socket.once("data", (bytes) => socket.end(bytes))));
    const link = await open({ port });
    const { heard, closed } = ears(link);
    await link.write(Buffer.from("hello"));
    expect([await heard, await closed]).toEqual(["hello", "closed by the other side"]);
    await expect(link.write(Buffer.from("more"))).rejects.toThrow("closed by the other side");
    link.close();
  });

  test("without a listener is refused with the reason", async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(open({ port })).rejects.toThrow("ECONNREFUSED");
  });

  test("that is not answered is given up after five seconds, and at once when the peer closed it", async () => {
    const clock = new VirtualClock();
    // A node that takes the connection and then says nothing of TLS.
    const silent = await listening(createServer((socket) => void socket.on("error", () => undefined)));
    const endpoint = { address: "127.0.0.1", port: silent, psk };
    const opening = openNetworkLink(clock, endpoint, new AbortController().signal);
    const outcome = opening.catch((failure: Error) => failure.message);
    await clock.advance(5000);
    expect(await outcome).toBe("no answer");
    const stop = new AbortController();
    const port = await listening(createServer());
    const aborted = open({ port }, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(aborted).rejects.toThrow("stopped");
  });

  test("ends what is still being written when it is closed", async () => {
    const port = await listening(createServer((socket) => void socket.pause().on("error", () => undefined)));
    const link = await open({ port });
    const { closed } = ears(link);
    const stuck = link.write(Buffer.alloc(64 * 1024 * 1024)).catch((failure: Error) => failure.message);
    link.close();
    expect([await stuck, await closed]).toEqual(["closed", "closed"]);
  });
});

describe("a line over TLS with the node's key", () => {
  test.each([
    ["TLS 1.3", { ciphers: "TLS_AES_128_GCM_SHA256", minVersion: "TLSv1.3" }, "TLSv1.3 TLS_AES_128_GCM_SHA256"],
    ["TLS 1.2", { ciphers: "PSK-AES128-GCM-SHA256", maxVersion: "TLSv1.2" }, "TLSv1.2 TLS_PSK_WITH_AES_128_GCM_SHA256"],
  ] as const)("speaks %s", async (_, options, words) => {
    const { heard } = ears(await open({ port: await node(options), psk }));
    expect(await heard).toBe(words);
  });

  test("is refused when the keys differ, and when the node knows no such hub", async () => {
    const ciphers = "TLS_AES_128_GCM_SHA256:PSK-AES128-GCM-SHA256";
    await expect(open({ port: await node({ ciphers }), psk: { ...psk, key: Buffer.alloc(16) } })).rejects.toThrow();
    await expect(open({ port: await node({ ciphers }, {}), psk })).rejects.toThrow();
  });

  test("never falls back to a node without TLS", async () => {
    const port = await listening(createServer((socket) => void socket.on("error", () => undefined).end("\xc0")));
    await expect(open({ port, psk })).rejects.toThrow();
  });

  test("never takes a certificate for the key, signed or not", async () => {
    const pair = { key: TEST_KEY, cert: TEST_CERTIFICATE, minVersion: "TLSv1.3" } as const;
    await expect(open({ port: await node(pair, {}), psk })).rejects.toThrow();
  });
});
