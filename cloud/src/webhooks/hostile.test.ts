/** Callbacks of people who want to get at the network that the service stands in, through the whole of a cloud: no connection to it is ever opened. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";
import { HOSTILE_HOSTS, NOT_PUBLIC } from "./hostile.fixture.ts";

/** The name of the n-th of a list, which has an address of this machine's or of its network's. */
const nameOf = (n: number) => `n${n}.receiver.example`;

/** Listens at every address that this machine has, and remembers at which of them it was connected to. */
let inside: Server;
let port: number;
let reached: string[];
let requests: number;
let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  reached = [];
  requests = 0;
  inside = createServer((_request, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  inside.on("connection", ({ localAddress }) => reached.push(localAddress?.replace(/^::ffff:/, "") ?? "nowhere"));
  inside.listen(0);
  await once(inside, "listening");
  const address = inside.address();
  port = typeof address === "object" && address ? address.port : 0;
});
afterEach(async () => {
  await cloud[Symbol.asyncDispose]();
  inside.closeAllConnections();
  await new Promise((resolve) => inside.close(resolve));
});

const asked = (body?: unknown) => ({ token: home.token, ...(body !== undefined && { body }) });
const make = (url: string) => cloud.good("POST", "/api/webhooks", asked({ url, events: ["zone.*"] }));
const zone = () => cloud.good("POST", "/api/zones", asked({ environmentId: home.environmentId }));
const deliveries = () => cloud.rows((db) => db.selectFrom("deliveries").selectAll());

/** Until every delivery has been tried so often; only the wall clock goes through the waits in between. */
async function tried(count: number, attempts: number) {
  for (;;) {
    const rows = await deliveries();
    if (rows.length === count && rows.every(({ attempt }) => attempt >= attempts)) return rows;
    if (rows.length === count) {
      cloud.clock.jumpWall(3_600_000);
      await cloud.clock.advance(30_000);
    } else await cloud.clock.advance(0);
  }
}

describe("a callback", () => {
  it("that names an internal address, in any spelling, is refused", async () => {
    cloud = await TestCloud.start();
    home = await cloud.home();
    for (const scheme of ["http", "https"])
      for (const host of HOSTILE_HOSTS) {
        const url = `${scheme}://${host}:${port}/`;
        const reply = await cloud.call("POST", "/api/webhooks", asked({ url }));
        expect([url, reply.status, reply.body.title]).toEqual([url, 400, "Webhook Callback Invalid"]);
      }
    expect(reached).toEqual([]);
  });

  it("whose name leads to an internal address is retried, and no connection is made", async () => {
    const resolve = async (name: string) => NOT_PUBLIC.filter((_, at) => name === nameOf(at));
    cloud = await TestCloud.start({}, undefined, resolve);
    home = await cloud.home();
    for (const at of NOT_PUBLIC.keys()) await make(`https://${nameOf(at)}:${port}/`);
    await zone();
    const rows = await tried(NOT_PUBLIC.length, 3);
    expect(new Set(rows.map(({ error }) => error))).toEqual(new Set(["the address is not public"]));
    expect(reached).toEqual([]);
  });

  it("whose name leads elsewhere at another attempt is judged by where it leads then", async () => {
    const answers = [["127.0.0.2"], ["127.0.0.1"], ["127.0.0.2", "127.0.0.1"], ["::ffff:127.0.0.1"], ["127.0.0.2"]];
    let attempts = 0;
    const resolve = async () => answers[attempts++] ?? [];
    cloud = await TestCloud.start({ webhookAllow: ["127.0.0.2"] }, undefined, resolve);
    home = await cloud.home();
    await make(`http://receiver.example:${port}/`);
    await zone();
    const [row] = await tried(1, answers.length);
    expect(row).toMatchObject({ attempt: answers.length, response_status: 500 });
    expect(new Set(reached)).toEqual(new Set(["127.0.0.2"]));
    expect(requests).toBe(answers.filter((addresses) => addresses.join() === "127.0.0.2").length);
  });
});
