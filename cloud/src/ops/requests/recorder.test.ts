/** What is counted of requests: stored in batches, bounded, never past what is kept. */
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AccountCaller, audit, type Caller, type ServerCaller } from "../../access/index.ts";
import { type FreshLocation, freshLocation } from "../../store/fresh-store.fixture.ts";
import { Store } from "../../store/index.ts";
import { Recorder } from "./recorder.ts";
import { RequestBuffer, type SeenRequest } from "./request-buffer.ts";
import { KEEP_AUDIT, KEEP_REQUESTS, Retention } from "./retention.ts";
import { loggedRequests } from "./service-queries.ts";
import { OTHER, TokenSightings } from "./token-sightings.ts";

const SERVER: ServerCaller = { kind: "server", tokenId: "tok_s", serverId: "srv_1", ecosystemId: "eco_1" };
const OWNER: AccountCaller = {
  kind: "account",
  tokenId: "tok_a",
  accountId: "acc_1",
  ecosystemIds: ["eco_1", "eco_2"],
};

let fresh: FreshLocation;
let clock: VirtualClock;
let store: Store;
let recorder: Recorder;
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(3)) });
  await store.writeService((tx) =>
    tx.change(tx.build.insertInto("ecosystems").values({ id: "eco_1", account_id: "acc_1", gone_at: null })),
  );
  for (const id of ["tok_s", "tok_a"])
    await store.writeService((tx) => tx.change(tx.build.insertInto("tokens").values(token(id))));
  recorder = Recorder.start({ store, clock, log: silentLog, everyMs: 10_000 });
});
afterEach(async () => {
  await recorder[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

const token = (id: string) => ({
  ...{ id, hash: id, kind: "srv", account_id: null, ecosystem_id: "eco_1", subject_id: "srv_1", sealed: null },
  ...{ created_at: 0, expires_at: null, revoked_at: null, address: null, user_agent: null, read_at: null },
});
let count = 0;
function request(caller: Caller | undefined, given: Partial<SeenRequest> = {}): SeenRequest {
  return {
    requestId: `r${++count}`,
    method: "GET",
    route: "/api/devices",
    path: "/v0/api/devices",
    status: 200,
    durationMs: 1.25,
    problem: undefined,
    caller,
    pathVersion: "v0",
    headerVersion: undefined,
    ...given,
  };
}
const logged = (owner: { accountId: string } | { ecosystemId: string }) =>
  loggedRequests(store, {
    ...{ owner, filter: {} },
    part: { after: "", order: "oldest", limit: 100_000 },
  });
const versions = () =>
  store.service.query(store.service.build.selectFrom("token_versions").selectAll().orderBy("via").orderBy("version"));
const turns = () => new Promise((resolve) => setImmediate(resolve));

const counts = () =>
  store.service.query(store.service.build.selectFrom("request_counts").selectAll().orderBy("minute"));
const periods = () => store.service.query(store.service.build.selectFrom("counting_periods").selectAll());

describe("counts of requests", () => {
  it("are stored by ecosystem and minute, with all that the log has no room for", async () => {
    const minute = clock.now() - (clock.now() % 60_000);
    for (let each = 0; each < 3_000; each++) recorder.observe(request(SERVER, { status: each % 2 === 0 ? 200 : 404 }));
    recorder.observe(request(OWNER));
    recorder.observe(request(undefined));
    await recorder.flush();
    recorder.observe(request(SERVER, { status: 503 }));
    await recorder.flush();
    expect(await counts()).toEqual([
      { ecosystem_id: "eco_1", minute, succeeded: 1_500, redirected: 0, refused: 1_500, failed: 1 },
    ]);
  });

  it("state up to when all of them are stored, and a node that stops records its stop", async () => {
    const since = clock.now();
    await clock.advance(25_000);
    recorder.observe(request(SERVER));
    await recorder.flush();
    expect(await periods()).toMatchObject([{ since, until: clock.now(), closed: 0 }]);
    await recorder[Symbol.asyncDispose]();
    expect(await periods()).toMatchObject([{ since, until: clock.now(), closed: 1 }]);
  });

  it("that cannot be stored end the period, and the next one begins after them", async () => {
    let isDown = false;
    const failing = await Store.open({
      ...fresh.opening,
      clock,
      ids: new IdMaker(clock, seededRandom(4)),
      before: () => {
        if (isDown) throw new Error("the database is down");
      },
    });
    const other = Recorder.start({ store: failing, clock, log: silentLog, everyMs: 10_000 });
    const since = clock.now();
    other.observe(request(SERVER));
    await other.flush();
    isDown = true;
    await clock.advance(5_000);
    other.observe(request(SERVER));
    await other.flush();
    isDown = false;
    await clock.advance(1_000);
    other.observe(request(SERVER));
    await other[Symbol.asyncDispose]();
    await failing[Symbol.asyncDispose]();
    expect((await periods()).map((each) => [each.since - since, each.until - since, each.closed]).sort()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [5_000, 6_000, 1],
    ]);
    expect(await counts()).toMatchObject([{ succeeded: 2 }]);
  });

  it("are not stored of an ecosystem that was erased", async () => {
    recorder.observe(request(SERVER));
    await store.writeService((tx) => tx.change(tx.build.deleteFrom("ecosystems")));
    await recorder.flush();
    expect(await counts()).toEqual([]);
  });

  it("are kept for a week", async () => {
    const start = clock.now();
    recorder.observe(request(SERVER));
    await recorder.flush();
    for (const [later, left] of [
      [KEEP_REQUESTS, 1],
      [KEEP_REQUESTS + 1, 0],
    ] as const) {
      const retention = Retention.start({ store, clock: new VirtualClock(start + later), log: silentLog });
      await retention.sweep();
      await retention[Symbol.asyncDispose]();
      expect([(await counts()).length, (await periods()).length]).toEqual([left, left]);
    }
  });
});

describe("the request log", () => {
  it("is stored ten seconds later in one batch, under the account whose ecosystem it is", async () => {
    recorder.observe(request(SERVER, { status: 503, problem: "Hub Offline" }));
    recorder.observe(request(OWNER));
    recorder.observe(request(undefined));
    expect(await logged({ accountId: "acc_1" })).toEqual([]);
    await clock.advance(10_000);
    for (let turn = 0; (await logged({ accountId: "acc_1" })).length < 2 && turn < 1000; turn++) await turns();
    const [ofServer, ofOwner, ...others] = await logged({ accountId: "acc_1" });
    expect(ofServer).toMatchObject({ ecosystem_id: "eco_1", status: 503, problem: "Hub Offline", duration_us: 1250 });
    expect(ofOwner).toMatchObject({ ecosystem_id: null, token_id: "tok_a" });
    expect(others).toEqual([]);
    expect((await logged({ ecosystemId: "eco_1" })).length).toBe(1);
  });

  it("has a request by the time that its token is seen as used", async () => {
    recorder.observe(request(SERVER));
    const stored = recorder.flush();
    const uses = () => store.service.query(store.service.build.selectFrom("token_uses").selectAll());
    while ((await uses()).length === 0) await turns();
    expect(await logged({ ecosystemId: "eco_1" })).toHaveLength(1);
    await stored;
  });

  it("has of a page of the portal what it changed and what it was refused, and not what it reads all day", async () => {
    const portal: AccountCaller = { ...OWNER, ecosystemIds: ["eco_1"], isPortal: true };
    recorder.observe(request(portal));
    recorder.observe(request(portal, { method: "HEAD" }));
    recorder.observe(request(portal, { status: 304 }));
    recorder.observe(request(portal, { status: 404, problem: "Device Not Found", requestId: "refused" }));
    recorder.observe(request(portal, { method: "PUT", requestId: "changed" }));
    recorder.observe(request({ ...OWNER, ecosystemIds: ["eco_1"] }, { requestId: "by an account token" }));
    await recorder.flush();
    const ids = (await logged({ ecosystemId: "eco_1" })).map(({ request_id }) => request_id);
    expect(ids).toEqual(["refused", "changed", "by an account token"]);
    expect((await versions()).map((row) => row.count)).toEqual([6]);
    // What a page looked for and did not find is no error of the owner's programs.
    const counts = await store
      .of("eco_1")
      .sql.query(store.of("eco_1").from("request_counts").select(["succeeded", "refused"]));
    expect(counts).toEqual([{ succeeded: 2, refused: 0 }]);
  });

  it("never has more than 10,000 of an ecosystem, and keeps the newest", async () => {
    for (let batch = 0; batch < 6; batch++) {
      for (let each = 0; each < 2_000; each++) recorder.observe(request(SERVER, { requestId: `${batch}-${each}` }));
      await recorder.flush();
    }
    const rows = await logged({ ecosystemId: "eco_1" });
    expect(rows.length).toBeLessThanOrEqual(10_000);
    expect(rows.length).toBeGreaterThanOrEqual(9_500);
    expect(rows.at(-1)?.request_id).toBe("5-1999");
  });

  it("stores nothing about objects that were erased since", async () => {
    recorder.observe(request(SERVER));
    await store.writeService((tx) => tx.change(tx.build.deleteFrom("tokens")));
    await recorder.flush();
    expect(await logged({ accountId: "acc_1" })).toEqual([]);
    expect(await store.service.query(store.service.build.selectFrom("token_uses").selectAll())).toEqual([]);
  });

  it("takes in so much of one owner and no more, and leaves room for others", () => {
    const buffer = new RequestBuffer();
    for (let each = 0; each < 100_000; each++) buffer.add(SERVER, request(SERVER), 0);
    buffer.add(OWNER, request(OWNER), 0);
    const { requests, dropped } = buffer.take();
    expect(requests.length).toBe(2_001);
    expect(dropped).toBe(98_000);
    expect(buffer.take()).toEqual({ requests: [], dropped: 0 });
  });

  it("is kept for a week, and the audit for 400 days", async () => {
    const start = clock.now();
    recorder.observe(request(SERVER));
    await recorder.flush();
    await store.writeService((tx) => audit(tx, { kind: "service" }, "webhook.disabled", undefined));
    const audited = () => store.service.query(store.service.build.selectFrom("audit_entries").select("id"));
    const retention = Retention.start({ store, clock: new VirtualClock(start + KEEP_REQUESTS), log: silentLog });
    await retention.sweep();
    expect((await logged({ ecosystemId: "eco_1" })).length).toBe(1);
    await retention[Symbol.asyncDispose]();
    const later = Retention.start({ store, clock: new VirtualClock(start + KEEP_REQUESTS + 1), log: silentLog });
    await later.sweep();
    expect(await logged({ ecosystemId: "eco_1" })).toEqual([]);
    expect(await audited()).toHaveLength(1);
    await later[Symbol.asyncDispose]();
    const last = Retention.start({ store, clock: new VirtualClock(start + KEEP_AUDIT + 1), log: silentLog });
    await last.sweep();
    expect(await audited()).toEqual([]);
    await last[Symbol.asyncDispose]();
  });
});

describe("what a token is seen to do", () => {
  it("is when it was last used, and each version with first time, last time and count", async () => {
    const first = clock.now();
    recorder.observe(request(SERVER, { headerVersion: "v0" }));
    await recorder.flush();
    await clock.advance(5_000);
    recorder.observe(request(SERVER));
    recorder.observe(request(SERVER, { pathVersion: undefined }));
    await recorder.flush();
    expect(
      (await versions()).map(({ via, version, count, first_seen_at, last_seen_at }) => [
        via,
        version,
        count,
        first_seen_at,
        last_seen_at,
      ]),
    ).toEqual([
      ["header", "v0", 1, first, first],
      ["path", "", 1, first + 5_000, first + 5_000],
      ["path", "v0", 2, first, first + 5_000],
    ]);
    const uses = await store.service.query(store.service.build.selectFrom("token_uses").selectAll());
    expect(uses).toEqual([{ token_id: "tok_s", last_used_at: first + 5_000 }]);
  });

  it("is bounded, however many versions its requests make up", async () => {
    for (let batch = 0; batch < 10; batch++) {
      for (let each = 0; each < 100; each++)
        recorder.observe(request(SERVER, { headerVersion: `made-up-${batch}-${each}` }));
      await recorder.flush();
    }
    const rows = await versions();
    expect(rows.length).toBeLessThanOrEqual(22);
    expect(rows.filter(({ via }) => via === "header").reduce((sum, row) => sum + row.count, 0)).toBe(1_000);
    expect(rows.some(({ version }) => version === OTHER)).toBe(true);
  });

  it("counts unreadable names of versions as other versions", () => {
    const sightings = new TokenSightings();
    for (const odd of ["", "x".repeat(33), "v 0", "<b>", "\u0000"]) sightings.add("tok_1", 0, undefined, odd);
    expect(sightings.take()[0]?.versions.map(({ version }) => version)).toEqual(["", OTHER]);
  });
});
