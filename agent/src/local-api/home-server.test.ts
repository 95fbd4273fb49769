/** The server at home as a socket sees it: what is no good HTTP, how much it holds, and how it begins and ends. */
import { once } from "node:events";
import { connect } from "node:net";
import { type Log, NamedError, seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Agent } from "../agent.ts";
import { Disk } from "../state/state.fixture.ts";
import { TOKEN as CLIENT_TOKEN, CLOUD, FakeCloud } from "../uplink/cloud.fixture.ts";
import { ENVIRONMENT } from "./at-home.fixture.ts";
import { HomeServer, type HomeServerDeps } from "./home-server.ts";

const TOKEN = { id: "tok_1", hash: "", label: "", createdAt: 0 };
const logged: object[] = [];
const log: Log = { ...silentLog, error: (fields) => logged.push(fields) };

const deps: HomeServerDeps = {
  clock: systemClock,
  log,
  tokens: {
    authenticate: (header) => {
      if (header === undefined) throw new NamedError("Token Missing");
      return TOKEN;
    },
  },
  routes: [
    {
      method: "GET",
      path: "/api/broken",
      query: [],
      handle: () => Promise.reject(new Error("a secret of the database")),
    },
    {
      method: "GET",
      path: "/api/many",
      query: [],
      handle: () => ({ status: 200, slices: Array.from({ length: 2000 }, () => "x".repeat(1000)) }),
    },
  ],
  requestId: () => "the-request",
  publicUrl: "https://cloud.example",
};

let server: HomeServer;
beforeEach(async () => {
  logged.length = 0;
  server = await HomeServer.start(deps, "127.0.0.1", 0);
});
afterEach(() => server[Symbol.asyncDispose]());

/** Sends bytes as they are, and gives all that comes back. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes));
  socket.on("error", () => undefined);
  socket.write(text);
  await once(socket, "close");
  return answer;
}

test.each([
  ["no HTTP at all", "sesame, open\r\n\r\n", 400],
  ["a head that is too large", `GET / HTTP/1.1\r\nhost: x\r\na: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["an expectation", "GET /api/x HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\n\r\n", 417],
  ["a method that is none", "OPEN / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 400],
  ["a path that is no URL", "GET /api/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 404],
  ["another protocol", "GET /api/x HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n", 404],
  [
    "two credentials",
    "GET /api/many HTTP/1.1\r\nhost: x\r\nauthorization: a\r\nauthorization: b\r\nconnection: close\r\n\r\n",
    401,
  ],
])("is answered as a problem: %s", async (_, text, status) => {
  const answer = await raw(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toContain("application/problem+json");
  expect(answer).toContain('"instance":"the-request"');
});

test("without a good credential 20 requests a second are answered, and those with one go on", async () => {
  const bad = await Promise.all(Array.from({ length: 60 }, () => fetch(`${server.url}/api/many`)));
  const refused = bad.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(10);
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await (refused[0] ?? Response.error()).json()).toMatchObject({
    title: "Rate Limit Exceeded",
    retryable: true,
  });
  expect((await fetch(`${server.url}/api/many`, { headers: { authorization: "a" } })).status).toBe(200);
});

test("an unexpected failure is written to the log and not to the caller", async () => {
  const answer = await fetch(`${server.url}/api/broken`, { headers: { authorization: "a" } });
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("secret");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(JSON.stringify(logged)).toContain("a secret of the database");
});

test("a long answer comes whole, and to HEAD none of it", async () => {
  const headers = { authorization: "a" };
  expect((await (await fetch(`${server.url}/api/many`, { headers })).text()).length).toBe(2_000_000);
  const head = await fetch(`${server.url}/api/many`, { method: "HEAD", headers });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("a caller that goes away in the middle of a long answer causes no failure", async () => {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write("GET /api/many HTTP/1.1\r\nhost: x\r\nauthorization: a\r\n\r\n");
  await once(socket, "data");
  socket.destroy();
  expect((await fetch(`${server.url}/api/many`, { headers: { authorization: "a" } })).status).toBe(200);
  expect(logged).toEqual([]);
});

/** A whole hub without devices, on a clock that stands still. */
function startAgent(disk: Disk, port: number, cloud?: FakeCloud): Promise<Agent> {
  const { clock, folder: dataDir } = disk;
  return Agent.start({
    ...{ clock, random: seededRandom(1), log: silentLog, dataDir, cloudUrl: CLOUD },
    tokens: { read: () => cloud && CLIENT_TOKEN, write: () => undefined, remove: () => undefined },
    dial: cloud?.dial ?? (() => Promise.reject(new Error("no cloud"))),
    drivers: () => [],
    localApi: { host: "127.0.0.1", port },
  });
}

test("a hub whose identity another agent has taken leaves the devices to that one, for every caller at home", async () => {
  using disk = new Disk();
  const { clock } = disk;
  const cloud = new FakeCloud(clock);
  const agent = await startAgent(disk, 0, cloud);
  await clock.advance(2000);
  const place = { digest: "d1", ecosystemId: "eco_1", environmentId: ENVIRONMENT, clientId: "cli_1" };
  await clock.until(cloud.ask("names", { ...place, devices: [] }));
  const made = (await agent.answers()["token create"]?.({ label: "" })) as { readonly token: string };
  const refresh = async () => {
    const url = `${agent.status().localApi?.url}/api/environments/${ENVIRONMENT}/services/Switch?refresh=true`;
    return (await fetch(url, { headers: { authorization: made.token } })).json();
  };
  expect(await refresh()).toMatchObject({ title: "Service Not Found" });
  await cloud.close("superseded");
  await clock.advance(10);
  expect(await refresh()).toMatchObject({ title: "Service Unavailable", outcome: "not_sent" });
  await clock.until(agent[Symbol.asyncDispose]());
});

test("a hub that cannot have the port says so, and does everything else", async () => {
  using disk = new Disk();
  const { clock } = disk;
  const agent = await startAgent(disk, Number(new URL(server.url).port));
  expect(agent.status().localApi).toEqual({ url: undefined, failure: expect.stringContaining("EADDRINUSE") });
  await clock.until(agent[Symbol.asyncDispose]());
});
