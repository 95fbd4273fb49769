/** How much one request looks through, however rare what it asks for is. */
import { IdMaker, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Caller } from "../access/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { EventLog, type LogAsked, type LogPlace } from "./event-log.ts";

const ECO = "eco_1";
const ids = new IdMaker(new VirtualClock(), seededRandom(1));
const caller: Caller = { kind: "server", tokenId: ids.next("tok"), serverId: ids.next("srv"), ecosystemId: ECO };
const everything = { since: undefined, until: undefined, after: undefined, before: undefined };

const UNBOUND = { bytes: Number.POSITIVE_INFINITY, turn: async () => undefined };

let fresh: FreshLocation;
let store: Store;
let log: EventLog;
beforeEach(async () => {
  const clock = new VirtualClock();
  fresh = await freshLocation();
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(1)) });
  log = new EventLog(store, { slice: 3, most: 9, environments: 500 });
  await store.write(ECO, async (tx) => {
    for (let n = 1; n <= 30; n += 1)
      tx.append({ type: n === 2 || n === 29 ? "hub.online" : "zone.created", environmentId: "env_1", data: { n } });
  });
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

/** Each page of a walk: what it found, and what it covers. */
async function walk(asked: Partial<LogAsked>): Promise<string[]> {
  const listed: string[] = [];
  const whole = {
    ecosystemId: ECO,
    environmentId: undefined,
    deviceId: undefined,
    order: "oldest",
    size: 10,
    ...UNBOUND,
  } as const;
  for (let place: LogPlace | undefined = await log.begin(ECO, everything); place; ) {
    const page = await log.page(caller, { ...whole, types: ["*"], ...asked }, place);
    listed.push(`${page.events.map(({ sequence }) => sequence)} of ${page.range.first}-${page.range.last}`);
    place = page.next;
  }
  return listed;
}

it("a rare event is found over several requests, each of which states how far it has searched", async () => {
  expect(await walk({ types: ["hub.*"] })).toEqual(["2 of 1-9", " of 10-18", " of 19-27", "29 of 28-30"]);
  expect(await walk({ types: ["hub.*"], order: "newest" })).toEqual([
    "29 of 22-30",
    " of 13-21",
    " of 4-12",
    "2 of 1-3",
  ]);
});

it("a page that is full covers as much as it holds, and the next one goes on there", async () => {
  expect(await walk({ size: 8, types: ["zone.*"] })).toEqual([
    "1,3,4,5,6,7,8,9 of 1-9",
    "10,11,12,13,14,15,16,17 of 10-17",
    "18,19,20,21,22,23,24,25 of 18-25",
    "26,27,28,30 of 26-30",
  ]);
  expect((await walk({ size: 4, order: "newest" }))[1]).toBe("26,25,24,23 of 23-26");
});

it("a page ends at its bytes, in both directions, and covers what it has", async () => {
  await store.write(ECO, async (tx) => {
    for (let n = 0; n < 4; n += 1)
      tx.append({ type: "scene.created", environmentId: "env_1", data: { n, text: "x".repeat(1000) } });
  });
  const large = { types: ["scene.*"], bytes: 3000 };
  expect((await walk(large)).filter((page) => !page.startsWith(" "))).toEqual(["31,32 of 28-32", "33,34 of 33-34"]);
  expect((await walk({ ...large, order: "newest" }))[0]).toBe("34,33 of 33-34");
  expect((await walk({ ...large, bytes: 1, order: "newest" })).slice(0, 2)).toEqual(["34 of 34-34", "33 of 33-33"]);
});

it("a log without events has an empty range", async () => {
  const place = await log.begin("eco_2", everything);
  const asked = {
    ecosystemId: "eco_2",
    environmentId: undefined,
    deviceId: undefined,
    types: ["*"],
    size: 10,
    ...UNBOUND,
  } as const;
  for (const order of ["oldest", "newest"] as const)
    expect(await log.page(caller, { ...asked, order }, place)).toEqual({
      ...{ events: [], range: { first: 1, last: 0 }, log: { oldest: 1, newest: 0 }, next: undefined },
    });
});

it("a user of more environments than a query names sees its own, and nothing else", async () => {
  await store.write(ECO, async (tx) => {
    tx.append({ type: "zone.created", environmentId: "env_2", data: {} });
    tx.append({ type: "user.created", environmentId: undefined, data: {} });
  });
  const user: Caller = {
    ...{ kind: "user", tokenId: ids.next("tok"), userId: ids.next("usr"), ecosystemId: ECO },
    environmentIds: new Set(["env_2", "env_3"]),
  };
  const few = new EventLog(store, { slice: 100, most: 100, environments: 1 });
  const asked = {
    ecosystemId: ECO,
    environmentId: undefined,
    deviceId: undefined,
    types: ["*"],
    size: 100,
    ...UNBOUND,
  } as const;
  const page = await few.page(user, { ...asked, order: "oldest" }, await few.begin(ECO, everything));
  expect(page.events.map(({ sequence }) => sequence)).toEqual([31]);
});

it("a caller that sees few of many events costs no more queries than one that sees all", async () => {
  await store.write(ECO, async (tx) => {
    for (let n = 0; n < 500; n += 1) tx.append({ type: "zone.created", environmentId: "env_1", data: { n } });
    tx.append({ type: "zone.created", environmentId: "env_2", data: {} });
  });
  let queries = 0;
  const counted = new Proxy(store.of(ECO).sql, {
    get(sql, name) {
      if (name !== "query") return Reflect.get(sql, name, sql);
      return (query: never) => {
        queries += 1;
        return sql.query(query);
      };
    },
  });
  const user: Caller = {
    ...{ kind: "user", tokenId: ids.next("tok"), userId: ids.next("usr"), ecosystemId: ECO },
    environmentIds: new Set(["env_2", "env_3"]),
  };
  const limits = { slice: 5000, most: 50_000, environments: 1 };
  const few = new EventLog({ of: () => ({ sql: counted }) } as unknown as Store, limits);
  const scope = { ecosystemId: ECO, environmentId: undefined, deviceId: undefined, types: ["*"] };
  const asked = { ...scope, order: "oldest", size: 1000, bytes: 1024 * 1024, turn: async () => undefined } as const;
  const page = await few.page(user, asked, { at: undefined, first: 1, last: undefined });
  expect(page.events.map(({ sequence }) => sequence)).toEqual([531]);
  expect(queries).toBeLessThan(20);
});

it("what is deleted while a page is made is in neither its events nor its range", async () => {
  let deleted = false;
  const racing = new Proxy(store.of(ECO).sql, {
    get(sql, name) {
      if (name !== "query") return Reflect.get(sql, name, sql);
      return async (query: never) => {
        const rows = await sql.query(query);
        const remove = store.writeService((tx) => tx.change(tx.build.deleteFrom("events").where("sequence", "<=", 7)));
        if (!deleted) await remove;
        deleted = true;
        return rows;
      };
    },
  });
  const during = new EventLog({ of: () => ({ sql: racing }) } as unknown as Store, {
    slice: 3,
    most: 12,
    environments: 1,
  });
  const asked = {
    ecosystemId: ECO,
    environmentId: undefined,
    deviceId: undefined,
    types: ["*"],
    size: 100,
    ...UNBOUND,
  } as const;
  const page = await during.page(caller, { ...asked, order: "oldest" }, { at: undefined, first: 1, last: undefined });
  expect([page.events.map(({ sequence }) => sequence), page.range]).toEqual([
    [8, 9, 10, 11, 12],
    { first: 8, last: 12 },
  ]);
});
