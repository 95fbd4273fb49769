/** Requests that two nodes have counted, on one PostgreSQL. */
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ServerCaller } from "../../access/index.ts";
import { type FreshLocation, freshLocation } from "../../store/fresh-store.fixture.ts";
import { Store } from "../../store/index.ts";
import { Recorder } from "../requests/recorder.ts";
import { Activity } from "./activity.ts";

const MINUTE = 60_000;
const CALLER: ServerCaller = { kind: "server", tokenId: "tok_s", serverId: "srv_1", ecosystemId: "eco_1" };
let fresh: FreshLocation;
let clock: VirtualClock;
let stores: Store[];
let nodes: Recorder[];
beforeEach(async () => {
  fresh = await freshLocation(true);
  clock = new VirtualClock();
  stores = [];
  nodes = [];
  for (const seed of [1, 2]) {
    const store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(seed)) });
    stores.push(store);
    nodes.push(Recorder.start({ store, clock, log: silentLog, everyMs: 24 * 60 * MINUTE }));
  }
  await stores[0]?.writeService((tx) =>
    tx.change(tx.build.insertInto("ecosystems").values({ id: "eco_1", account_id: "acc_1", gone_at: null })),
  );
});
afterEach(async () => {
  for (const node of nodes) await node[Symbol.asyncDispose]();
  for (const store of stores) await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

const answered = (status: number) => ({
  ...{ requestId: "r", method: "GET", route: "/api/devices", path: "/api/devices", status, durationMs: 1 },
  ...{ problem: undefined, caller: CALLER, pathVersion: undefined, headerVersion: undefined },
});
async function steps(since: number, until: number) {
  const [store] = stores;
  if (!store) throw new Error("a store");
  const asked = { ecosystemId: "eco_1", environmentId: undefined, size: 100 };
  return (await new Activity({ store, clock }).page(asked, { since, until, step: MINUTE })).steps;
}

it("are added up, and a minute is whole once both have stored theirs", async () => {
  const begin = clock.now();
  for (const [place, node] of nodes.entries())
    for (let each = 0; each <= place; each++) node.observe(answered(each === 1 ? 503 : 200));
  await clock.advance(MINUTE);
  await nodes[0]?.flush();
  expect(await steps(begin, begin + MINUTE)).toMatchObject([{ partial: true }]);
  await Promise.all(nodes.map((node) => node.flush()));
  const [step] = await steps(begin, begin + MINUTE);
  expect(step).toMatchObject({ requests: { status2xx: 2, status5xx: 1 }, errorRate: 0.3333 });
  expect(step).not.toHaveProperty("partial");
});

it("are partial in the minute in which one of them was killed", async () => {
  await Promise.all(nodes.map((node) => node.flush()));
  const begin = clock.now();
  await clock.advance(MINUTE);
  await Promise.all(nodes.map((node) => node.flush()));
  await clock.advance(30_000);
  // It has counted since, and no other node will ever know.
  const killed = nodes.pop();
  killed?.observe(answered(200));
  await clock.advance(5 * MINUTE);
  await nodes[0]?.flush();
  const partial = (await steps(begin, begin + 5 * MINUTE)).map((step) => step.partial ?? false);
  expect(partial).toEqual([false, true, false, false, false]);
});
