/** What a hub makes of every answer that a cloud, or something else at its address, may give. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { TEST_CA, TEST_CERTIFICATE, TEST_KEY } from "@porchlight/driver-kit/links/tls.fixture.ts";
import { systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, expect, test } from "vitest";
import { GRANT, pairingOf } from "./cloud.fixture.ts";
import { httpPairingCloud } from "./http-pairing-cloud.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

type Answering = (response: ServerResponse, request: IncomingMessage, body: string) => void;
/** Answers everything so, and gives its port. */
function serving(answer: Answering): Promise<number> {
  return listen(createServer((request, response) => void respond(answer, request, response)));
}
async function respond(answer: Answering, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  answer(response, request, body);
}
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  (response) =>
    response.writeHead(status, { "content-type": "application/problem+json", ...headers }).end(JSON.stringify(body));

const HUB = { edgeId: "02-00-00-00-00-01", agentVersion: "1.2.3", publicKey: "key" };
const PROOF = { deviceCode: "the-hubs-own-code-1", signature: "c2lnbmVk" };
const never = new AbortController().signal;
const cloudAt = (port: number, path = "") =>
  httpPairingCloud({ clock: systemClock, cloudUrl: `http://127.0.0.1:${port}${path}`, env: {} });

test("a hub begins and polls as the API has it, also below a path", async () => {
  const asked: unknown[] = [];
  const port = await serving((response, { method, url, headers }, body) => {
    asked.push([method, url, headers["content-type"], JSON.parse(body)]);
    json(url?.endsWith("/poll") ? 200 : 201, url?.endsWith("/poll") ? GRANT : pairingOf(1))(
      response,
      undefined as never,
      "",
    );
  });
  const cloud = cloudAt(port, "/porchlight/");
  expect(await cloud.begin(HUB, never)).toEqual({ kind: "begun", pairing: pairingOf(1) });
  expect(await cloud.poll(PROOF, never)).toEqual({ kind: "approved", grant: GRANT });
  expect(asked).toEqual([
    ["POST", "/porchlight/api/pairings", "application/json", HUB],
    ["POST", "/porchlight/api/pairings/poll", "application/json", PROOF],
  ]);
});

test.each<[string, Answering, unknown]>([
  ["pending", json(400, { title: "Pairing Pending" }), { kind: "pending" }],
  [
    "slow down",
    json(400, { title: "Pairing Slow Down" }, { "retry-after": "7" }),
    { kind: "slow_down", retryAfterMs: 7000 },
  ],
  ["denied", json(400, { title: "Pairing Denied" }), { kind: "denied" }],
  ["expired", json(400, { title: "Pairing Expired" }), { kind: "expired" }],
  ["unknown", json(400, { title: "Pairing Code Invalid" }), { kind: "unknown" }],
  [
    "a name with another status",
    json(503, { title: "Pairing Denied" }, { "retry-after": "30" }),
    { kind: "setback", detail: "it answered 503, Pairing Denied", retryAfterMs: 30_000 },
  ],
  [
    "a wait of a day, of which a quarter of an hour is heeded",
    json(503, { title: "Service Unavailable" }, { "retry-after": "86400" }),
    { kind: "setback", detail: "it answered 503, Service Unavailable", retryAfterMs: 900_000 },
  ],
  [
    "a token that would forge a header",
    json(200, { ...GRANT, token: "plt_cli_1\r\nx-evil: 1" }),
    { kind: "setback", detail: expect.stringContaining("not an answer to a pairing"), retryAfterMs: 0 },
  ],
  [
    "a name that would play with a terminal",
    json(500, { title: "\u001b[2Jgone" }),
    { kind: "setback", detail: "it answered 500, [2Jgone", retryAfterMs: 0 },
  ],
  [
    "another site's page",
    (response) => response.end("<html>Welcome to Hotel WiFi</html>"),
    { kind: "setback", detail: "it answered 200, with something that is not an answer to a pairing", retryAfterMs: 0 },
  ],
  [
    "no end",
    (response) => {
      const more = () => response.write("x".repeat(16_384), more);
      more();
    },
    { kind: "setback", detail: "its answer does not end", retryAfterMs: 0 },
  ],
  ["a broken line", (response) => response.destroy(), { kind: "setback", detail: "socket hang up", retryAfterMs: 0 }],
])("a poll that is answered with %s", async (_what, answer, expected) => {
  const cloud = cloudAt(await serving(answer));
  expect(await cloud.poll(PROOF, never)).toEqual(expected);
});

test.each([
  ["a code that means something elsewhere", { deviceCode: "porchlight-tunnel-v1\nnonce\ndigest\nhost" }],
  ["a code that plays with a terminal", { userCode: "\u001b[2J" }],
  ["a link that is no link", { verificationUriComplete: "javascript:alert(1)" }],
  ["an address with a line end", { verificationUri: "https://cloud.example/\nrm -rf" }],
  ["no time", { interval: 0 }],
])("a beginning with %s is none: nothing of it is signed or shown", async (_what, change) => {
  const cloud = cloudAt(await serving(json(201, { ...pairingOf(1), ...change })));
  expect(await cloud.begin(HUB, never)).toMatchObject({ kind: "setback" });
});

test("a cloud that says nothing is given up after a while", async () => {
  const heard = Promise.withResolvers<void>();
  const port = await serving(() => heard.resolve());
  const clock = new VirtualClock();
  const polled = httpPairingCloud({ clock, cloudUrl: `http://127.0.0.1:${port}`, env: {} }).poll(PROOF, never);
  await heard.promise;
  await clock.advance(15_000);
  expect(await polled).toEqual({ kind: "setback", detail: "it does not answer", retryAfterMs: 0 });
});

test("a hub that stops does not wait for the answer", async () => {
  const heard = Promise.withResolvers<void>();
  const cloud = cloudAt(await serving(() => heard.resolve()));
  const stop = new AbortController();
  const polled = cloud.poll(PROOF, stop.signal);
  await heard.promise;
  stop.abort(new Error("the agent stops"));
  await expect(polled).rejects.toThrow("the agent stops");
});

test("TLS goes with a private CA, through the proxy of the house, and not without the CA", async () => {
  const tls = createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (_request, response) => {
    json(400, { title: "Pairing Pending" })(response, undefined as never, "");
  });
  const port = await listen(tls);
  const proxied: (string | undefined)[] = [];
  const proxy = createServer();
  proxy.on("connect", ({ url }, socket) => {
    proxied.push(url);
    const far = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      socket.pipe(far).pipe(socket);
    });
    for (const end of [socket, far]) end.on("error", () => end.destroy());
  });
  const env = { HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}` };
  const at = { clock: systemClock, cloudUrl: `https://localhost:${port}` };
  expect(await httpPairingCloud({ ...at, env: {}, ca: TEST_CA }).poll(PROOF, never)).toEqual({ kind: "pending" });
  expect(proxied).toEqual([]);
  expect(await httpPairingCloud({ ...at, env, ca: TEST_CA }).poll(PROOF, never)).toEqual({ kind: "pending" });
  expect(proxied).toEqual([`localhost:${port}`]);
  expect(await httpPairingCloud({ ...at, env: {} }).poll(PROOF, never)).toMatchObject({ kind: "setback" });
});
