/** A cloud whose PostgreSQL is killed, stands still or only reads: what callers, hubs, streams and the log have of it. Real processes. */

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { itAtLength } from "../parts/at-length.ts";
import { eventually } from "../parts/eventually.ts";
import { Home, OWNER } from "../parts/home.ts";
import { type PostgresServer, startPostgres } from "../parts/postgres-server.ts";
import { rawStream } from "../parts/raw-stream.ts";
import { BUTTON, LAMP } from "../parts/simulator.ts";

const HUE = "LightColor.hue";
/** A write is answered within 10 s in each state of the database, and what needs no database at once; a busy machine takes its time. */
const WRITE_MS = 30_000;
const AT_ONCE_MS = 4000;

let server: PostgresServer;
let home: Home;
const events: { type: string; value: unknown }[] = [];
const streaming = new AbortController();
let stream = Promise.resolve();
beforeAll(async () => {
  server = await startPostgres({ durable: "processes" });
  home = await Home.start({ database: server.url });
  const { token } = await home.api.good<{ token: string }>("POST", "/api/accounts/login", OWNER);
  stream = (async () => {
    for await (const { event, data } of rawStream(`${home.api.base}/api/events`, token, undefined, streaming.signal))
      if (event !== "message") events.push({ type: event, value: data?.data?.item?.value });
  })();
});
afterAll(async () => {
  streaming.abort();
  await stream.catch(() => undefined);
  await home[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const ready = async () => (await home.api.call("GET", "/readyz")).status === 200;
const logLines = (text: string) => home.cloud.stderr.split("\n").filter((line) => line.includes(text)).length;

async function timed<T>(work: Promise<T>): Promise<{ readonly answer: T; readonly ms: number }> {
  const began = performance.now();
  return { answer: await work, ms: performance.now() - began };
}

/** The state while the database takes no writes; then the former state again, by itself. */
async function outage(begin: () => void | Promise<void>, end: () => void | Promise<void>, hue: number): Promise<void> {
  await eventually("the node's lease is young", isLeaseYoung());
  await home.online();
  expect(await home.put(LAMP, HUE, hue)).toMatchObject({ status: 200 });
  await eventually("the stream has it", async () => events.some(({ value }) => value === hue));
  await home.allReported();
  const logged = logLines("the database does not accept writes");
  const pid = home.cloud.pid;
  await begin();

  // The first write may fail at the database: its device has confirmed it, and the result is not stored.
  const put = await timed(home.put(LAMP, HUE, hue + 1));
  expect(put.answer, home.cloud.stderr).toMatchObject({ status: 503, body: { title: "Service Unavailable" } });
  expect(put.ms).toBeLessThan(WRITE_MS);
  expect(put.answer.headers.get("retry-after")).toBe("1");
  const { outcome } = z.object({ outcome: z.enum(["unknown", "not_sent"]) }).parse(put.answer.body);
  const made = await timed(home.api.call("POST", "/api/zones", { environmentId: home.environmentId, meta: {} }));
  expect(made.answer.status).toBe(503);
  expect(made.ms).toBeLessThan(WRITE_MS);
  // What is in memory is answered, at once; a value that the device has confirmed and that could not be stored is not in it.
  const cached = await timed(home.cached(LAMP, HUE));
  expect(cached.answer?.value).toBe(hue);
  expect(cached.ms).toBeLessThan(AT_ONCE_MS);
  expect(await home.api.call("GET", "/healthz")).toMatchObject({ status: 200 });
  const unready = await timed(home.api.call("GET", "/readyz"));
  expect(unready.answer).toMatchObject({ status: 503, body: { detail: "The database accepts no changes." } });
  expect(unready.ms).toBeLessThan(WRITE_MS);
  // From then on none is sent.
  const refused = await home.put(LAMP, HUE, hue + 5);
  expect(refused).toMatchObject({ status: 503, body: { title: "Service Unavailable", outcome: "not_sent" } });
  expect(refused.headers.get("retry-after")).toBe("1");
  await home.simulator.tell(`press ${BUTTON} Button.event press`);

  await end();
  await eventually("the cloud is ready", ready);
  await home.online();
  if (outcome === "unknown") {
    // What the device had confirmed comes once more, by the hub's own record.
    await eventually("the value is there", async () => (await home.cached(LAMP, HUE))?.value === hue + 1);
    await eventually("the stream has it too", async () => events.some(({ value }) => value === hue + 1));
  }
  const writes = async (of: number) => (await home.simulator.writes(LAMP)).filter(({ value }) => value === of).length;
  expect(await writes(hue + 1)).toBe(outcome === "unknown" ? 1 : 0);
  expect(await writes(hue + 5)).toBe(0);
  await eventually("the press is reported", async () => (await home.simulator.tell(`state ${BUTTON}`)).untold === 0);
  expect(await home.put(LAMP, HUE, hue + 2)).toMatchObject({ status: 200 });
  expect(home.cloud.pid).toBe(pid);
  expect(logLines("the database does not accept writes") - logged).toBe(1);
}

/** The outage before may have taken most of it: without it the hub's tunnel ends, and a write does not come to the database. */
function isLeaseYoung(): () => Promise<boolean> {
  let before: string | undefined;
  return async () => {
    const client = new Client(server.url);
    await client.connect();
    const { rows } = await client.query("select id, lease_until from nodes");
    await client.end();
    const now = JSON.stringify(rows);
    before ??= now;
    return now !== before;
  };
}

async function besides(...statements: string[]): Promise<void> {
  const client = new Client(server.url);
  await client.connect();
  for (const text of statements) await client.query(text);
  await client.end();
}

describe("a cloud whose database", () => {
  it("is killed and comes back", () =>
    outage(
      () => server.kill(),
      () => server.restart(),
      10,
    ));

  it("restarts while a hub reports ends no tunnel for it, and stores what the hub reports", async () => {
    await home.online();
    await home.allReported();
    const closed = logLines("its tunnel is closed");
    await server.kill();
    await home.simulator.tell(`press ${BUTTON} Button.event press`);
    await eventually("the hub is asked to send its report again", async () =>
      home.agent.stderr.includes("the cloud did not accept records; they are sent again"),
    );
    await server.restart();
    await eventually("the cloud is ready", ready);
    await home.allReported();
    expect(logLines("its tunnel is closed")).toBe(closed);
  });

  itAtLength("stands still, and goes on", () =>
    outage(
      () => server.stop(),
      () => server.cont(),
      20,
    ),
  );

  itAtLength("only reads for a while", () =>
    outage(
      () => besides("alter system set default_transaction_read_only = on", "select pg_reload_conf()"),
      () =>
        besides(
          "set default_transaction_read_only = off",
          "alter system reset default_transaction_read_only",
          "select pg_reload_conf()",
        ),
      30,
    ),
  );

  it("stops in order on SIGTERM while the database is away", async () => {
    await server.kill();
    expect(await home.cloud.stop()).toMatchObject({ code: 0 });
    await server.restart();
    await home.startCloud();
    await home.online();
  });
});
