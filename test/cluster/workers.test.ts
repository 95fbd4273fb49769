/** Several workers are one service on one port: each serves, one that dies is missed by nobody, all are replaced without a gap, and the end is in order. */
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Callers } from "../bench/nodes/callers.ts";
import { losses } from "../bench/nodes/losses.ts";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";
import { ClusterHome } from "./cluster-home.ts";
import { isThere, WorkersService } from "./workers-service.ts";

const HUBS = rounds(4, 6);
/** No limits on load, and hubs that are sent away quickly; leases of hubs and workers have their published lengths. */
const ENV = { PORCHLIGHT_RATE_LIMIT: "off", PORCHLIGHT_PORTAL: "off", PORCHLIGHT_DRAIN_SPREAD_MS: "1000" };

const stack = new AsyncDisposableStack();
let service: WorkersService;
let home: ClusterHome;
beforeAll(async () => {
  service = stack.use(await WorkersService.start({ workers: 2, env: ENV }));
  const cluster = { url: service.url, hubLine: { url: service.url } };
  home = stack.use(await ClusterHome.start({ cluster, hubs: HUBS, devicesPerHub: 1, random: seededRandom(1) }));
});
afterAll(() => stack.disposeAsync());

/** A request on a connection of its own. */
const alone = (path: string) => fetch(`${service.url}${path}`, { headers: { connection: "close" } });
const allLive = async () => home.hubs.every(({ live }) => live);
/** A kept connection may be closed just while its next request is on its way: HTTP has no cure for that. */
const KEPT_CONNECTION = /UND_ERR_SOCKET|ECONNRESET/;

test("each serves the one port, is a node of its own, and says in the log which it is", async () => {
  const said = service.log.filter(({ msg }) => msg === "the worker runs").map(({ worker, pid }) => ({ worker, pid }));
  expect(said).toEqual([1, 2].map((worker) => ({ worker, pid: service.processOf(worker) })));
  await eventually("both have answered", async () => {
    await alone("/readyz");
    return (await service.samples("porchlight_http_request_duration_seconds_count")).size === 2;
  });
  await eventually("each knows the other", async () => {
    const nodes = await service.samples("porchlight_nodes");
    return [nodes.get("1"), nodes.get("2")].join() === "2,2";
  });
});

test("one read of the metrics tells of all workers, and their hubs are all the hubs", async () => {
  expect([...(await service.samples("porchlight_worker_up"))]).toEqual([
    ["1", 1],
    ["2", 1],
  ]);
  await eventually("all hubs are told", async () => {
    const tunnels = await service.samples("porchlight_tunnels");
    return [...tunnels.values()].reduce((sum, each) => sum + each, 0) === HUBS;
  });
});

test("a lamp is set by whichever worker is asked", async () => {
  for (const [at, device] of home.devices.entries())
    for (const n of [1, 2, 3]) {
      const value = 300 + at * 4 + n;
      const answer = await fetch(`${service.url}/api/devices/${device.id}/services/LightColor.hue`, {
        method: "PUT",
        headers: { authorization: `Bearer ${home.token}`, "content-type": "application/json", connection: "close" },
        body: JSON.stringify({ value }),
      });
      expect([answer.status, await answer.json()]).toMatchObject([200, { value }]);
    }
});

test("one that is killed under load loses nothing that was acknowledged, and is started again", async () => {
  await using callers = Callers.start(service.url, home, home.devices);
  await eventually("everybody has been answered", async () => callers.puts.length > 5 * home.devices.length);
  const victim = service.processOf(1);
  const survivor = service.processOf(2);
  process.kill(victim, "SIGKILL");
  await eventually("it runs again", async () => {
    const up = await service.samples("porchlight_worker_up");
    return up.get("1") === 1 && service.processOf(1) !== victim;
  });
  await eventually("every hub is back", allLive);
  const before = callers.puts.length;
  await eventually("everybody is answered again", async () => callers.puts.length > before + 5 * home.devices.length);
  await callers.end();
  expect(await losses(service.postgres.url, home, callers.puts)).toEqual({ lost: 0, twice: 0 });
  expect(service.processOf(2)).toBe(survivor);
  await eventually("the second start is counted", async () => {
    const starts = await service.samples("porchlight_worker_starts_total");
    return starts.get("1") === 2 && starts.get("2") === 1;
  });
});

test("a connection that a worker had not taken when it was killed ends with it, and hangs no caller", async () => {
  const victim = service.processOf(2);
  // It takes nothing any more; the first of these connections that comes to it waits.
  process.kill(victim, "SIGSTOP");
  const port = Number(new URL(service.url).port);
  const answers = Array.from({ length: 4 }, () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    return text(socket).catch(() => "");
  });
  await eventually("all others are answered", async () => {
    const first = await Promise.race([...answers, Promise.resolve("none yet")]);
    return first.startsWith("HTTP/1.1 200");
  });
  process.kill(victim, "SIGKILL");
  const answered = (await Promise.all(answers)).filter((answer) => answer.startsWith("HTTP/1.1 200"));
  expect(answered.length).toBeGreaterThanOrEqual(3);
  await eventually("it runs again", async () => {
    const up = await service.samples("porchlight_worker_up");
    return up.get("2") === 1 && service.processOf(2) !== victim;
  });
  await eventually("every hub is back", allLive);
});

test("all are replaced under load, and no caller is refused", async () => {
  await using callers = Callers.start(service.url, home, home.devices, 2 * HUBS);
  await eventually("everybody has been answered", async () => callers.puts.length > 2 * home.devices.length);
  const before = [1, 2].map((worker) => service.processOf(worker));
  await service.replaceAll();
  await eventually("every hub is back", allLive);
  await callers.end();
  const others = [...callers.errors.keys()].filter((name) => !KEPT_CONNECTION.test(name));
  expect(others).toEqual([]);
  expect(await losses(service.postgres.url, home, callers.puts)).toEqual({ lost: 0, twice: 0 });
  const after = [1, 2].map((worker) => service.processOf(worker));
  expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  expect(before.filter(isThere)).toEqual([]);
});

test("a second service on the port does not start, and says why in one line", async () => {
  const args = ["serve", "--port", new URL(service.url).port, "--data", service.data, "--workers", "2"];
  const env = { PORCHLIGHT_DATABASE: service.postgres.url, PORCHLIGHT_NATS: service.nats.url, ...ENV };
  await using second = new Program("second", "cloud/src/main.ts", args, env);
  expect(await second.ended).toEqual({ code: 1, signal: null });
  const sentences = second.said.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  expect(sentences).toEqual([expect.stringMatching(/^porchlight-cloud: \w+ EADDRINUSE/)]);
});

test("the end waits for what is under way, also when every process gets the signal", async () => {
  const workers = [1, 2].map((worker) => service.processOf(worker));
  const asking = connect(Number(new URL(service.url).port), "127.0.0.1");
  const answer = text(asking);
  const body = JSON.stringify({ email: "last@cluster.example", password: "a-long-and-quiet-password" });
  const head = `host: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  asking.write(`POST /api/accounts HTTP/1.1\r\n${head}\r\n\r\n${body.slice(0, 5)}`);
  await once(asking, "connect");
  // Whoever has the connection has read from it before it hears of the end.
  await alone("/readyz");
  await alone("/readyz");
  for (const pid of workers) process.kill(pid, "SIGTERM");
  service.program.signal("SIGTERM");
  await eventually("nobody takes connections", () =>
    alone("/healthz").then(
      () => undefined,
      () => true,
    ),
  );
  asking.write(body.slice(5));
  expect(await answer).toMatch(/^HTTP\/1.1 201 /);
  expect(await service.program.ended).toEqual({ code: 0, signal: null });
  expect(workers.filter(isThere)).toEqual([]);
});
