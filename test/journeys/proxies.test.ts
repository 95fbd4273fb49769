/** The examples of proxies as HAProxy, nginx and Caddy run them, in front of two nodes on one PostgreSQL: which answers callers get while nodes and the database come and go, and that no write is sent twice. */
import { selfSigned } from "@porchlight/cloud/http/tls.fixture.ts";
import { type Problem, problem } from "@porchlight/shared/api";
import { seededRandom } from "@porchlight/shared/kernel";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Cluster } from "../cluster/cluster.ts";
import { ClusterHome, type HomeDevice } from "../cluster/cluster-home.ts";
import { Api } from "../parts/api.ts";
import { itAtLength } from "../parts/at-length.ts";
import { eventually } from "../parts/eventually.ts";
import { HttpClient, type Reply } from "../parts/http-client.ts";
import { WAIT_MS } from "../parts/limits.ts";
import { type ProxyName, ProxyProgram } from "./proxies.fixture.ts";

const NAMES = ["HAProxy", "nginx", "Caddy"] as const;
const DEVICES = 4;
/** Of a hue: each is set at most once at a device. */
const VALUES = 360;

const stack = new AsyncDisposableStack();
const proxies = new Map<ProxyName, ProxyProgram>();
const pair = selfSigned(44);
const client = new HttpClient(WAIT_MS, pair.cert);
let cluster: Cluster;
let home: ClusterHome;
let puts = 0;

beforeAll(async () => {
  cluster = stack.use(await Cluster.start({ nodes: 2, env: { PORCHLIGHT_TRUSTED_PROXY: "127.0.0.1" } }));
  const [one, other] = [cluster.node(0), cluster.node(1)].map(({ port }) => `127.0.0.1:${port}`);
  for (const name of NAMES)
    proxies.set(name, stack.use(await ProxyProgram.start(name, [one ?? "", other ?? ""], pair)));
  const random = seededRandom(44);
  const urlOf = (hub: number) => proxyOf(NAMES[hub] ?? "nginx").url;
  const hubs = { hubs: NAMES.length, devicesPerHub: DEVICES, urlOf, ca: pair.cert };
  home = stack.use(await ClusterHome.start({ cluster, random, ...hubs }));
  stack.use(client);
});
afterAll(() => stack.disposeAsync());

/** Everything runs, and each hub has its tunnel. */
async function mended(): Promise<void> {
  for (const node of cluster.nodes) if (!node.runs) await node.start();
  for (const { url } of cluster.nodes)
    await eventually("the node is ready", async () => (await new Api(url).call("GET", "/readyz")).status === 200);
  for (const { hub } of home.devices) await eventually("the hub has its tunnel", async () => hub.live);
}

function proxyOf(name: ProxyName): ProxyProgram {
  const proxy = proxies.get(name);
  if (proxy === undefined) throw new Error(`${name} was not started`);
  return proxy;
}

/** The devices of the hub whose tunnel goes through the proxy. */
function devicesOf(name: ProxyName): HomeDevice[] {
  const hub = home.hubs[NAMES.indexOf(name)];
  return home.devices.filter((device) => device.hub === hub);
}

interface Put {
  readonly device: HomeDevice;
  readonly value: number;
  readonly reply: Promise<Reply>;
}

/** A PUT through the proxy, of a value that no other PUT has. */
function put(name: ProxyName): Put {
  const devices = devicesOf(name);
  const device = devices[puts % devices.length];
  if (device === undefined) throw new Error(`no device is behind ${name}`);
  const value = Math.floor(puts++ / devices.length) % VALUES;
  const path = `/api/devices/${device.id}/services/LightColor.hue`;
  const request = { method: "PUT", token: home.token, body: { value }, patienceMs: WAIT_MS } as const;
  const reply = client.ask(`${proxyOf(name).url}${path}`, request).then((answer) => {
    if (answer === undefined) throw new Error(`${name} gave no answer in JSON:\n${proxyOf(name).log}`);
    return answer;
  });
  // The caller that waits for it gets an answer.
  reply.catch(() => undefined);
  return { device, value, reply };
}

/** The error of an answer, which must have the form of the API's. */
function problemOf({ status, headers, body }: Reply): Problem {
  expect(headers["content-type"]).toMatch(/^application\/problem\+json(;|$)/);
  const error = problem.parse(body);
  expect(error.status).toBe(status);
  return error;
}

const isOfProxy = ({ body }: Reply) => body.instance === "balancer";

/** Sends PUTs through the proxy until one is carried out. @returns all answers */
async function putUntilCarriedOut(name: ProxyName): Promise<readonly Reply[]> {
  const answers: Reply[] = [];
  const { device, value } = await eventually(`a PUT through ${name} is carried out`, async () => {
    const sent = put(name);
    const answer = await sent.reply;
    answers.push(answer);
    return answer.status === 200 ? sent : undefined;
  });
  expect(answers.at(-1)?.body).toMatchObject({ value });
  expect(home.truth.acts.filter((act) => act.device === device.edgeId && act.value === value)).toHaveLength(1);
  return answers;
}

/** The answers to PUTs that are not carried out have an outcome. */
function expectOutcomes(answers: readonly Reply[]): void {
  for (const answer of answers) if (answer.status !== 200) expect(problemOf(answer).outcome).toBeDefined();
}

/** Writes that more than one request has made. */
async function sentTwice(): Promise<unknown[]> {
  const database = new Client(cluster.postgres.url);
  await database.connect();
  const { rows } = await database.query(
    "select device_id, value, count(*) from commands group by device_id, value having count(*) > 1",
  );
  await database.end();
  return rows;
}

/** How many PUTs have reached the nodes. */
async function putsAtNodes(): Promise<number> {
  let sum = 0;
  for (const { url } of cluster.nodes)
    for (const [, count] of (await freshMetrics(url)).matchAll(
      /^porchlight_http_request_duration_seconds_count\{method="PUT".*\} (\d+)$/gm,
    ))
      sum += Number(count);
  return sum;
}

/** Made after the call: a node makes the text at most once a second, and has used processor time since. */
async function freshMetrics(url: string): Promise<string> {
  const read = async () => (await fetch(`${url}/metrics`)).text();
  const first = await read();
  return eventually("the metrics are made anew", async () => {
    const next = await read();
    return next === first ? undefined : next;
  });
}

describe.each(NAMES)("behind %s", (name) => {
  afterEach(mended);

  it("a write is carried out by a hub whose tunnel goes through it, once", async () => {
    expectOutcomes(await putUntilCarriedOut(name));
    expect(await sentTwice()).toEqual([]);
  });

  // HAProxy in every run, because it is the example for several nodes.
  const itHere = name === "HAProxy" ? it : itAtLength;
  itHere(
    "writes of a node that is killed are answered as unknown and sent to no other, and the next ones go to the other",
    async () => {
      const [device] = devicesOf(name);
      const connections = () => home.truth.connections.filter(({ hub }) => hub === device?.hub.clientId).length;
      const before = connections();
      // It may have seen a node fail in another test.
      await proxyOf(name).restart();
      await eventually("the hub has another tunnel", async () => connections() > before);
      await mended();
      const release = device?.hub.devices.hold();
      const held: Put[] = [];
      try {
        // Those with the fewest connections get the next, so that each node has one of them.
        while (held.length < DEVICES) {
          const sent = put(name);
          held.push(sent);
          const waits = eventually("the hub has it", async () => device?.hub.devices.held === held.length);
          const answer = await Promise.race([waits, sent.reply]);
          if (answer !== true) throw new Error(`it was answered before it was carried out: ${JSON.stringify(answer)}`);
        }
        await cluster.node(0).sigkill();
      } finally {
        release?.();
      }
      const answers = await Promise.all(held.map(({ reply }) => reply));
      expectOutcomes(answers);
      const ofProxy = answers.filter(isOfProxy).map((answer) => `${answer.status} ${problemOf(answer).outcome}`);
      expect(new Set(ofProxy), answers.map(({ body }) => JSON.stringify(body)).join("\n")).toEqual(
        new Set(["502 unknown"]),
      );
      expectOutcomes(await putUntilCarriedOut(name));
      expect(await sentTwice()).toEqual([]);
    },
  );
});

describe("without its database", () => {
  const logged = new Map<ProxyName, number>();
  beforeAll(async () => {
    for (const [name, { log }] of proxies) logged.set(name, log.length);
    // What a node has not in memory it cannot look up then: of a token that is new to it, it knows not even whose it is.
    for (const { url } of cluster.nodes)
      for (const { id } of home.devices)
        await new Api(url, home.token).good("GET", `/api/devices/${id}/services/LightColor.hue`);
    await cluster.postgres.kill();
    for (const { url } of cluster.nodes)
      await eventually("the node accepts no changes", async () => {
        const { body } = await new Api(url).call("GET", "/readyz");
        return body.detail === "The database accepts no changes.";
      });
  });
  afterAll(async () => {
    await cluster.postgres.restart();
    await mended();
  });

  it.each(NAMES)("the service answers for itself through %s, and is asked once", async (name) => {
    const { noneReady } = proxyOf(name);
    if (noneReady !== undefined)
      await eventually(`${name} has seen it`, async () =>
        proxyOf(name).log.slice(logged.get(name)).includes(noneReady),
      );
    const before = await putsAtNodes();
    const answer = await put(name).reply;
    expect(isOfProxy(answer)).toBe(false);
    expect(problemOf(answer)).toMatchObject({ status: 503, title: "Service Unavailable", outcome: "not_sent" });
    expect(answer.headers["retry-after"]).toBe("1");
    expect(await putsAtNodes()).toBe(before + 1);
  });
});

describe("without a node", () => {
  beforeAll(async () => {
    for (const node of cluster.nodes) await node.sigkill();
  });

  afterAll(mended);

  it.each(NAMES)("%s answers that nothing was sent, in the form of the service's errors", async (name) => {
    const answers: Reply[] = [];
    await eventually(`${name} has seen that the nodes are gone`, async () => {
      const answer = await put(name).reply;
      answers.push(answer);
      return answer.status === 503;
    });
    for (const answer of answers) {
      expect(isOfProxy(answer)).toBe(true);
      expect(answer.headers["retry-after"]).toBe("1");
      const { status, outcome } = problemOf(answer);
      // A connection that stood before may take a request that no node reads any more.
      expect(["503 not_sent", "502 unknown"]).toContain(`${status} ${outcome}`);
    }
  });
});
