/** The tunnel's guarantees on the cloud's side, each a sentence of `tunnel.md`, on real SQLite and a virtual clock. */
import { formatTime, NamedError, settle } from "@porchlight/shared/kernel";
import { PeerGone, type PeerRefused, RPC_ERRORS } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientPrincipal } from "../access/index.ts";
import { GapInHistory } from "./session/hub.ts";
import { newKey, ScriptedHub, TestNode } from "./tunnels.fixture.ts";

let testNode: TestNode;
let client: ClientPrincipal;

beforeEach(async () => {
  testNode = await TestNode.open();
  client = await testNode.client();
});
afterEach(() => testNode[Symbol.asyncDispose]());

const key = newKey();
const connect = (options = {}) => ScriptedHub.connect(testNode, client, { key, ...options });
const dial = (options = {}) => ScriptedHub.dial(testNode, client, { key, ...options });
/** Its events, but for those that tell of another start of its agent. */
const ofPresence = async () =>
  (await testNode.eventTypes(client.ecosystemId)).filter((type) => type !== "hub.restarted");
const isOnline = () => testNode.tunnels.registry.live(client.clientId) !== undefined;

/** What the store throws while its database is away. */
const away = new NamedError("Service Unavailable", "The database does not accept requests now.", { retryAfter: 1 });

const report = (n: number, value: unknown = 240) => {
  const target = { device: "A0-B1-C2-D3-E4-F5", service: "LightColor", index: "0", property: "hue" };
  return { kind: "value", n, ...target, value, observedAt: 1, cause: "report" };
};

describe("T2: hello", () => {
  it("welcomes a hub that proves its key, with an epoch larger than every one before", async () => {
    const first = await connect();
    first.cut();
    const second = await connect();
    expect(first.welcome).toMatchObject({ version: 1, epoch: 1, leaseMs: 15_000, heartbeatMs: 5_000 });
    expect(second.welcome.epoch).toBe(2);
  });

  it("closes a connection that does not say hello within 5 s", async () => {
    const hub = dial();
    await testNode.advance(5_000);
    expect(hub.down).toBe("hello_timeout");
  });

  it("counts nothing before the hello", async () => {
    const hub = dial();
    await expect(hub.ask("heartbeat", { queued: 0, now: 0 })).rejects.toThrow();
    expect(hub.down).toBe("malformed");
  });

  it.each([
    [
      "another challenge",
      { signature: key.sign(new TextEncoder().encode("porchlight-tunnel-v1\nolder")) },
      "wrong_key",
    ],
    ["another's key", { publicKey: newKey().publicKey }, "wrong_key"],
    ["a key that is no Ed25519 key", { publicKey: "AAAA" }, "wrong_key"],
    ["no version that the cloud speaks", { oldest: 90, newest: 99 }, "version_unsupported"],
    ["an edgeId that is none", { edgeId: "lamp" }, "malformed"],
  ])("refuses a hello signed for, or with, %s", async (_what, more, reason) => {
    expect(await dial().refused(more)).toBe(reason);
    expect(isOnline()).toBe(false);
  });

  it("binds a client to the first key, and notifies the owner of another one, once", async () => {
    (await connect()).cut();
    const mismatch = newKey();
    expect(await dial({ key: mismatch }).refused()).toBe("wrong_key");
    expect(await dial({ key: mismatch }).refused()).toBe("wrong_key");
    const duplicates = (await testNode.events(client.ecosystemId)).filter(({ type }) => type === "hub.duplicate");
    expect(duplicates).toHaveLength(1);
    expect(duplicates[0]?.data).toMatchObject({
      id: client.clientId,
      refused: { reason: "wrong_key", address: "192.0.2.7" },
    });
  });

  it("binds a client to the first edgeId", async () => {
    (await connect()).cut();
    expect(await dial().refused({ edgeId: "02-00-00-00-00-02" })).toBe("wrong_edge");
    expect(await testNode.eventTypes(client.ecosystemId)).toContain("hub.duplicate");
  });

  it("takes a second hello for what it is: nothing that it knows", async () => {
    const hub = await connect();
    await expect(hub.ask("hello", await hub.hello())).rejects.toThrow("unknown method");
    expect(isOnline()).toBe(true);
  });

  it("lets a malformed message end the tunnel, and an unknown method not", async () => {
    const hub = await connect();
    await expect(hub.ask("dance", {})).rejects.toThrow("unknown method");
    expect(isOnline()).toBe(true);
    await expect(hub.ask("records", { records: "many" })).rejects.toThrow();
    expect(hub.down).toBe("malformed");
  });

  it("lets a value past its bounds end the tunnel, and logs the first of what is wrong", async () => {
    const hub = await connect();
    const large = report(
      1,
      Array.from({ length: 50_000 }, () => 1),
    );
    await expect(hub.ask("records", { records: [large, large] })).rejects.toThrow();
    expect(hub.down).toBe("malformed");
    expect(testNode.fake.batches).toEqual([]);
    expect(testNode.details.at(-1)).toMatchObject({ why: "records.0.value: is no JSON value, or one past its bounds" });
  });
});

describe("T3: newest wins", () => {
  it("lets a second connection take over at once and closes the older as superseded", async () => {
    const older = await connect();
    const newer = await connect();
    expect(older.down).toBe("superseded");
    expect(newer.down).toBeUndefined();
    expect(testNode.tunnels.registry.live(client.clientId)?.hub.epoch).toBe(newer.welcome.epoch);
  });

  it("is not moved by the late close of the older", async () => {
    const older = await connect();
    await connect();
    older.cut();
    await testNode.advance(30_000);
    expect(isOnline()).toBe(true);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
  });

  it("notifies the owner when two instances replace each other three times in 10 minutes, keeps the newest and sends the other away", async () => {
    for (const instance of ["instance-a", "instance-b", "instance-a", "instance-b"])
      await connect({ hello: { instance } });
    expect(await ofPresence()).toEqual(["hub.online", "hub.duplicate"]);
    const other = dial({ hello: { instance: "instance-a" } });
    expect(await other.refused()).toBe("duplicate");
    expect(other.notified.at(-1)).toEqual({ method: "goaway", params: { afterMs: 60_000 } });
    expect(testNode.tunnels.registry.live(client.clientId)?.hub.epoch).toBe(4);
  });

  it("lets the other in once the one that was kept is gone", async () => {
    let kept = await connect({ hello: { instance: "instance-x" } });
    for (const instance of ["instance-a", "instance-b", "instance-a", "instance-b"])
      kept = await connect({ hello: { instance } });
    kept.cut();
    await settle();
    expect((await connect({ hello: { instance: "instance-a" } })).down).toBeUndefined();
  });

  it("does not take an agent that restarts often for two", async () => {
    for (const instance of ["instance-1", "instance-2", "instance-3", "instance-4", "instance-5"])
      await connect({ hello: { instance } });
    const restarts = Array.from({ length: 4 }, () => "hub.restarted");
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online", ...restarts]);
  });

  it.each([
    ["within the lease", 60_000, 20_000],
    ["not before it connected", 3_000, 0],
  ])("reports of a restart that the agent before it was heard %s", async (_when, afterMs, heardMs) => {
    await using node = await TestNode.open({ settings: { leaseMs: 40_000 } });
    const owner = await node.client();
    const connectedAt = node.clock.now();
    await ScriptedHub.connect(node, owner, { key, hello: { instance: "instance-1" } });
    await node.advance(afterMs);
    await ScriptedHub.connect(node, owner, { key, hello: { instance: "instance-2" } });
    const restarted = (await node.events(owner.ecosystemId)).find(({ type }) => type === "hub.restarted");
    expect(restarted?.data).toMatchObject({ connection: { lastSeenAt: formatTime(connectedAt + heardMs) } });
  });
});

describe("T4: presence is never a lie", () => {
  it("shows a hub online from its welcome on, with what it says of itself", async () => {
    const hub = await connect();
    await testNode.advance(5_000);
    expect(await testNode.connection(client)).toMatchObject({
      state: "online",
      agentVersion: "1.0.0",
      roundTripMs: 20,
      queuedReports: 0,
      reconnects24h: 0,
    });
    hub.cut();
  });

  it("shows it offline within 20 s of a silent cut, with the reason and when it was last heard", async () => {
    const hub = await connect();
    await testNode.advance(7_000);
    const heardAt = testNode.clock.now() - 2_000;
    hub.dead = true;
    await testNode.advance(13_000);
    expect(isOnline()).toBe(false);
    await testNode.advance(1_000);
    expect(await testNode.connection(client)).toMatchObject({
      state: "offline",
      reason: "lease_expired",
      lastSeenAt: heardAt,
    });
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online", "hub.offline"]);
  });

  it("is never offline while the hub is heard, however long", async () => {
    await connect();
    await testNode.advance(20 * 60_000);
    expect(isOnline()).toBe(true);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
  });

  it("makes no event of a break shorter than 10 s, and shows it all the same", async () => {
    const hub = await connect();
    hub.cut();
    await settle();
    expect(await testNode.connection(client)).toMatchObject({ state: "offline", reason: "lost" });
    await testNode.advance(8_000);
    await connect();
    await testNode.advance(60_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
    expect(await testNode.connection(client)).toMatchObject({ state: "online", reconnects24h: 1 });
  });

  it("writes hub.offline after 10 s without a tunnel, and hub.online when it is back", async () => {
    (await connect()).cut();
    await testNode.advance(9_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
    await testNode.advance(2_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online", "hub.offline"]);
    expect(await testNode.connection(client)).toMatchObject({ state: "offline", reason: "lost" });
    await connect();
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online", "hub.offline", "hub.online"]);
  });

  it("never calls a hub unknown whose hub.offline was written while its row was on the way", async () => {
    (await connect()).cut();
    const row = await testNode.row(client);
    await testNode.advance(11_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online", "hub.offline"]);
    expect(testNode.tunnels.presence.connection(row)).toMatchObject({ state: "offline", reason: "lost" });
  });

  it("calls a hub unknown after a start of the cloud, and offline at the earliest 60 s later", async () => {
    await connect();
    await testNode.crash();
    await testNode.start();
    expect(await testNode.connection(client)).toMatchObject({ state: "unknown" });
    await testNode.advance(59_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
    await testNode.advance(2_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online", "hub.offline"]);
    expect(await testNode.connection(client)).toMatchObject({ state: "offline" });
  });

  it("makes no event of a start of the cloud that the hub comes back from", async () => {
    await connect();
    await testNode.crash();
    await testNode.start();
    await connect();
    await testNode.advance(120_000);
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
  });

  it("writes a tunnel's row when it opens and when it ends, never by a heartbeat", async () => {
    const rows = () =>
      testNode.store
        .of(client.ecosystemId)
        .sql.query(testNode.store.of(client.ecosystemId).from("tunnels").selectAll());
    const hub = await connect();
    const opened = await rows();
    await testNode.advance(60_000);
    expect(await rows()).toEqual(opened);
    hub.cut();
    await settle(20);
    expect(await rows()).toMatchObject([{ epoch: 1, reason: "lost", closed_at: testNode.clock.now() }]);
  });

  it("does not blame hubs for a stall of its own: after it the next sweep judges, not the first", async () => {
    const hub = await connect({ beats: false });
    await testNode.advance(5_500);
    // The process stands still for a while: what the hub says meanwhile waits unread until after the first sweep.
    const { clock } = testNode;
    const before = clock.monotonic.bind(clock);
    clock.monotonic = () => before() + 10_000;
    await testNode.advance(1_000);
    hub.ask("heartbeat", { queued: 0, now: clock.now() }).catch(() => undefined);
    await testNode.advance(1_500);
    expect(isOnline()).toBe(true);
  });
});

describe("T5: asking", () => {
  const command = {
    id: "cmd_1",
    device: "00-00-00-00-00-01",
    service: "Switch",
    index: "0",
    property: "on",
    value: true,
  };
  const call = () => ({ deadline: testNode.clock.monotonic() + 9_500, answerBy: testNode.clock.monotonic() + 10_000 });

  it("sends the hub its deadline in connection time", async () => {
    const hub = await connect();
    hub.answers.command = () => new Promise(() => undefined);
    await testNode.advance(1_000);
    testNode.tunnels.registry
      .live(client.clientId)
      ?.command(command, call())
      .catch(() => undefined);
    await settle();
    expect(hub.asked[0]?.params).toMatchObject({ at: 1_000, deadline: 10_500, id: "cmd_1" });
  });

  it("answers every waiting caller at once when the tunnel drops, and says that it was sent", async () => {
    const hub = await connect();
    hub.answers.command = () => new Promise(() => undefined);
    const waiting = testNode.tunnels.registry.live(client.clientId)?.command(command, call());
    await settle();
    hub.cut();
    const failure = await waiting?.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PeerGone);
    expect(failure).toMatchObject({ sent: true });
  });

  it("cancels on the hub what no caller waits for any more", async () => {
    const hub = await connect();
    hub.answers.read = () => new Promise(() => undefined);
    const leave = new AbortController();
    const { value: _value, id: _id, ...target } = command;
    const waiting = testNode.tunnels.registry
      .live(client.clientId)
      ?.read([target], { ...call(), signal: leave.signal });
    await settle();
    leave.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await settle();
    expect(hub.notified.at(-1)).toEqual({ method: "cancel", params: { id: hub.asked[0]?.id } });
  });

  it("closes the tunnel of a hub that answers another question than it was asked", async () => {
    const hub = await connect();
    hub.answers.command = () => ({
      ...command,
      kind: "result",
      n: 1,
      command: "cmd_other",
      requested: true,
      outcome: "confirmed",
      observedAt: 0,
    });
    await expect(testNode.tunnels.registry.live(client.clientId)?.command(command, call())).rejects.toBeInstanceOf(
      PeerGone,
    );
    expect(hub.down).toBe("malformed");
  });
});

describe("T6: one history a hub", () => {
  it("goes on where the history is stored, and asks for nothing afresh when nothing is missing", async () => {
    (await connect({ hello: { lastNumber: 7, acknowledged: 7 } })).cut();
    await testNode.store.write(client.ecosystemId, (tx) =>
      tx.change(tx.build.updateTable("clients").set({ position: 7 })),
    );
    expect((await connect({ hello: { lastNumber: 9, acknowledged: 7 } })).welcome).toMatchObject({
      acknowledged: 7,
      resync: false,
    });
  });

  it("asks for every current value when it is behind what the hub had acknowledged", async () => {
    (await connect()).cut();
    expect((await connect({ hello: { lastNumber: 9, acknowledged: 9 } })).welcome).toMatchObject({
      acknowledged: 0,
      resync: true,
    });
  });

  it("begins a new log at 0", async () => {
    (await connect()).cut();
    await testNode.store.write(client.ecosystemId, (tx) =>
      tx.change(tx.build.updateTable("clients").set({ position: 7 })),
    );
    const { welcome } = await connect({ hello: { logId: "log-0002" } });
    expect(welcome).toMatchObject({ acknowledged: 0, resync: true });
    expect(testNode.fake.histories).toEqual(["log-0001", "log-0002"]);
  });
});

describe("T7: flow control", () => {
  const batch = (n: number) => ({
    records: [{ kind: "presence", n, device: "00-00-00-00-00-01", online: true, observedAt: 0 }],
  });

  it("acknowledges nothing before it is stored, stops reading a hub that is ahead of the store, and goes on after it", async () => {
    const hub = await connect();
    const stored = Promise.withResolvers<void>();
    testNode.fake.store = () => stored.promise;
    let acknowledged = 0;
    for (let n = 1; n <= 20; n++) {
      hub.ask("records", batch(n)).then(
        () => {
          acknowledged += 1;
        },
        () => undefined,
      );
    }
    await settle();
    expect({ acknowledged, taken: testNode.fake.batches.length }).toEqual({ acknowledged: 0, taken: 8 });
    stored.resolve();
    await settle(20);
    expect({ acknowledged, taken: testNode.fake.batches.length }).toEqual({ acknowledged: 20, taken: 20 });
    expect(testNode.fake.batches.map(({ after }) => after)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it("hands the store a large batch in parts, each behind the one before it, and acknowledges it whole", async () => {
    const hub = await connect();
    const records = (first: number, count: number) => ({
      records: Array.from({ length: count }, (_, at) => report(first + at)),
    });
    const answers = [hub.ask("records", records(1, 450)), hub.ask("records", records(451, 50))];
    expect(await Promise.all(answers)).toEqual([{ acknowledged: 450 }, { acknowledged: 500 }]);
    expect(testNode.fake.batches.map(({ records, after }) => [records.length, records[0]?.n, after])).toEqual([
      [200, 1, 0],
      [200, 201, 200],
      [50, 401, 400],
      [50, 451, 450],
    ]);
  });

  it("hands it fewer records at once where their values are large", async () => {
    const hub = await connect();
    const text = "x".repeat(16_000);
    const records = Array.from({ length: 7 }, (_, at) => ({ ...report(at + 1), value: at === 6 ? "small" : text }));
    expect(await hub.ask("records", { records })).toEqual({ acknowledged: 7 });
    expect(testNode.fake.batches.map(({ records, after }) => [records.length, after])).toEqual([
      [3, 0],
      [4, 3],
    ]);
  });

  it("acknowledges nothing of a batch of which a part was not stored", async () => {
    const hub = await connect();
    testNode.fake.store = ({ after }) => (after === 200 ? Promise.reject(new Error("disk full")) : Promise.resolve());
    const records = Array.from({ length: 250 }, (_, at) => report(at + 1));
    await expect(hub.ask("records", { records })).rejects.toThrow();
    expect(hub.down).toBe("unavailable");
  });

  it("does not let one flood slow another hub", async () => {
    const flood = await connect();
    testNode.fake.store = () => new Promise(() => undefined);
    for (let n = 1; n <= 20; n++) flood.ask("records", batch(n)).catch(() => undefined);
    await settle();
    testNode.fake.store = () => Promise.resolve();
    const other = await ScriptedHub.connect(testNode, await testNode.client());
    await expect(other.ask("records", batch(1))).resolves.toEqual({ acknowledged: 1 });
  });

  it("sends a hub away when the store does not keep up for a whole lease", async () => {
    const hub = await connect();
    testNode.fake.store = () => new Promise(() => undefined);
    for (let n = 1; n <= 20; n++) hub.ask("records", batch(n)).catch(() => undefined);
    await testNode.advance(16_000);
    expect(hub.down).toBe("unavailable");
  });

  it("keeps the tunnel while the store is away: it refuses records by name, and takes them when they are sent again", async () => {
    const hub = await connect();
    await hub.ask("records", batch(1));
    testNode.fake.store = () => Promise.reject(away);
    const refused = [2, 3].map((n) => hub.ask("records", batch(n)).catch((error: PeerRefused) => error.error));
    expect(await Promise.all(refused)).toEqual([RPC_ERRORS.unavailable, RPC_ERRORS.unavailable]);
    await testNode.advance(30_000);
    testNode.fake.store = () => Promise.resolve();
    const again = [2, 3].map((n) => hub.ask("records", batch(n)));
    expect(await Promise.all(again)).toEqual([{ acknowledged: 2 }, { acknowledged: 3 }]);
    expect(testNode.fake.batches.map(({ after }) => after)).toEqual([0, 1, 2, 1, 2]);
    expect(hub.down).toBeUndefined();
  });

  it("refuses what follows a batch that the store did not take, though it is back", async () => {
    const hub = await connect();
    const gap = new GapInHistory({ ...client, edgeId: "", epoch: 1, logId: "" }, 0, 1);
    testNode.fake.store = ({ after }) => Promise.reject(after === 0 ? away : gap);
    const refused = [1, 2].map((n) => hub.ask("records", batch(n)).catch((error: PeerRefused) => error.error));
    expect(await Promise.all(refused)).toEqual([RPC_ERRORS.unavailable, RPC_ERRORS.unavailable]);
    expect(hub.down).toBeUndefined();
  });

  it("answers what a hub has and asks once the store is back, and ends the tunnel when that takes too long", async () => {
    const hub = await connect();
    let isAway = true;
    testNode.fake.ask = () => (isAway ? Promise.reject(away) : Promise.resolve());
    const inventory = hub.ask("inventory", { digest: "all", devices: [] });
    await testNode.advance(3_000);
    isAway = false;
    await testNode.advance(1_000);
    expect(await inventory).toEqual({ wanted: [], claimed: [] });
    isAway = true;
    const claims = hub.ask("claims", { edgeIds: ["02-00-00-00-00-02"] }).catch(() => undefined);
    await testNode.advance(22_000);
    await claims;
    expect(hub.down).toBe("unavailable");
  });

  it("ends the tunnel when a batch cannot be stored, so that the hub sends it again", async () => {
    const hub = await connect();
    testNode.fake.store = () => Promise.reject(new Error("disk full"));
    await expect(hub.ask("records", batch(1))).rejects.toThrow();
    expect(hub.down).toBe("unavailable");
  });
});

describe("T9: drain", () => {
  it("sends every hub away, lets calls in flight end, closes with the code of a restart, and takes in no more", async () => {
    const hub = await connect();
    const answer = Promise.withResolvers<unknown>();
    hub.answers.read = () => answer.promise;
    const now = testNode.clock.monotonic();
    const target = { device: "00-00-00-00-00-01", service: "Switch", index: "0", property: "on" };
    const reading = testNode.tunnels.registry
      .live(client.clientId)
      ?.read([target], { deadline: now + 30_000, answerBy: now + 30_000 });
    await settle();
    const drained = testNode.tunnels.drain();
    await testNode.advance(6_000);
    expect(hub.notified.at(-1)).toMatchObject({ method: "goaway" });
    expect(hub.down).toBeUndefined();
    answer.resolve({ items: [{ n: 1, value: true, observedAt: 0 }] });
    await expect(reading).resolves.toMatchObject([{ value: true }]);
    await drained;
    await settle();
    expect(hub.down).toBe("restart");
    const late = dial();
    await settle();
    expect(late.down).toBe("restart");
  });

  it("asks a hub nothing more from a moment before it leaves, so that nothing crosses its goodbye", async () => {
    const hub = await connect();
    hub.answers.read = () => ({ items: [] });
    const tunnel = testNode.tunnels.registry.live(client.clientId);
    tunnel?.goAway(1_000);
    const read = () => {
      const by = testNode.clock.monotonic() + 30_000;
      return tunnel?.read([], { deadline: by, answerBy: by });
    };
    const early = read();
    await testNode.clock.advance(749);
    expect(tunnel?.isLeaving).toBe(false);
    await testNode.clock.advance(1);
    expect(tunnel?.isLeaving).toBe(true);
    await expect(read()).rejects.toMatchObject({ sent: false });
    expect(await early).toEqual([]);
  });

  it("keeps as the reason that the node was restarted, also where the hub was the one that closed", async () => {
    const hub = await connect();
    const drained = testNode.tunnels.drain();
    hub.peer.close("stopping");
    await testNode.advance(6_000);
    await drained;
    expect(await testNode.connection(client)).toMatchObject({ state: "unknown", reason: "restart" });
  });
});

describe("revocation", () => {
  it("closes the tunnel of a token that is revoked, and no other", async () => {
    const hub = await connect();
    const other = await ScriptedHub.connect(testNode, await testNode.client());
    testNode.tunnels.revoke({ kind: "token", tokenId: client.tokenId, subjectId: client.clientId });
    await settle();
    expect({ hub: hub.down, other: other.down }).toEqual({ hub: "token_revoked", other: undefined });
  });

  it("of a hub that gives its token back revokes that token, says so to the owner, and ends its tunnel alone", async () => {
    const hub = await connect();
    const other = await ScriptedHub.connect(testNode, await testNode.client());
    const answer = hub.peer.ask("unpair", {}, { timeoutMs: 1_000 }).catch(() => "the tunnel was quicker");
    await expect.poll(() => hub.down).toBe("token_revoked");
    await answer;
    expect(other.down).toBeUndefined();
    const [entry] = await testNode.store.service.query(
      testNode.store.service.build.selectFrom("audit_entries").selectAll().where("object_id", "=", client.tokenId),
    );
    expect(entry).toMatchObject({ action: "token.revoked", actor_type: "client", actor_id: client.clientId });
    expect(entry?.address).toBe("192.0.2.7");
  });
});
