/** A node and its lease: what stands on it ends before it does, and a node that wakes late changes nothing. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LeaseStore, NodeLease } from "./node-lease.ts";
import { newKey, ScriptedHub, TestNode } from "./tunnels.fixture.ts";

let testNode: TestNode;
beforeEach(async () => {
  testNode = await TestNode.open();
});
afterEach(() => testNode[Symbol.asyncDispose]());

const nodes = () => testNode.store.service.query(testNode.store.service.build.selectFrom("nodes").selectAll());

describe("a node's lease", () => {
  it("is one row, renewed every 5 s for 15 s, for any number of tunnels", async () => {
    const client = await testNode.client();
    await ScriptedHub.connect(testNode, client);
    await testNode.advance(20_000);
    expect(await nodes()).toMatchObject([{ lease: 1, lease_until: testNode.clock.now() + 15_000 }]);
  });

  it("is over by the node's own clock before it is over in the database, and so are its tunnels", async () => {
    const client = await testNode.client();
    const hub = await ScriptedHub.connect(testNode, client);
    await testNode.advance(4_000);
    const [row] = await nodes();
    const elapsed = testNode.clock.monotonic.bind(testNode.clock);
    testNode.clock.monotonic = () => elapsed() + (row?.lease_until ?? 0) - testNode.clock.now() - 1_000;
    expect(testNode.tunnels.registry.live(client.clientId)).toBeUndefined();
    await testNode.advance(1_500);
    expect(hub.down).toBe("restart");
  });

  it("is taken anew after it ran out, and hubs can come back", async () => {
    const client = await testNode.client();
    const key = newKey();
    await ScriptedHub.connect(testNode, client, { key });
    const elapsed = testNode.clock.monotonic.bind(testNode.clock);
    testNode.clock.monotonic = () => elapsed() + 60_000;
    // Another database answers in real time: the lease is taken anew when that has been answered.
    let late = 0;
    do await testNode.advance(6_000);
    while ((await nodes()).length < 2 && late++ < 60);
    expect(await nodes()).toHaveLength(2);
    await ScriptedHub.connect(testNode, client, { key });
    expect(testNode.tunnels.registry.live(client.clientId)).toBeDefined();
  });

  it("does not report the hubs of a lost lease offline before they had the time of a start to come back", async () => {
    const client = await testNode.client();
    const hub = await ScriptedHub.connect(testNode, client);
    await testNode.advance(4_000);
    const [row] = await nodes();
    const elapsed = testNode.clock.monotonic.bind(testNode.clock);
    testNode.clock.monotonic = () => elapsed() + (row?.lease_until ?? 0) - testNode.clock.now() - 1_000;
    await testNode.advance(1_500);
    expect(hub.down).toBe("restart");
    const jumped = testNode.clock.monotonic() - elapsed();
    testNode.clock.monotonic = () => elapsed() + jumped;
    let late = 0;
    do await testNode.advance(1_000);
    while ((await nodes()).length < 2 && late++ < 60);
    expect((await testNode.connection(client)).state).toBe("unknown");
    await testNode.advance(40_000);
    expect((await testNode.connection(client)).state).toBe("unknown");
    expect(await testNode.eventTypes(client.ecosystemId)).toEqual(["hub.online"]);
    // On a real database the lease is taken, and the event stored, in real time.
    const types = () => testNode.eventTypes(client.ecosystemId);
    for (let waited = 0; (await types()).length < 2 && waited < 120; waited++) await testNode.advance(1_000);
    expect(await types()).toEqual(["hub.online", "hub.offline"]);
  });

  it("lets a node that wakes after its lease change nothing, once another has seen that", async () => {
    const { store, clock, random, log } = testNode;
    const lease = await NodeLease.start({
      store,
      clock,
      random,
      log,
      nodeLeaseMs: 15_000,
      nodeRenewMs: 5_000,
      nodeLookMs: 1_000,
      onLost: () => undefined,
    });
    const eco = testNode.ids.next("eco");
    const write = () => store.write(eco, async (tx) => tx.append({ type: "t", data: {} }));
    await write();
    // Another node looks at the leases after this one has stood still.
    store.fenceBy(undefined);
    await store.writeService((tx) => tx.change(tx.build.deleteFrom("nodes").where("id", "=", lease.nodeId)));
    store.fenceBy({ nodeId: lease.nodeId, lease: 1 });
    await expect(write()).rejects.toMatchObject({ name: "Service Unavailable" });
    // Another database answers in real time: the lease is taken anew when that has been answered.
    const isTaken = () =>
      write().then(
        () => true,
        () => false,
      );
    let late = 0;
    do await testNode.advance(1_000);
    while (!(await isTaken()) && late++ < 60);
    expect(late).toBeLessThan(60);
    await lease[Symbol.asyncDispose]();
  });

  it("is over for the others when it has not been renewed for its whole length", async () => {
    const { store, clock, random, log } = testNode;
    const settings = { nodeLeaseMs: 15_000, nodeRenewMs: 5_000, nodeLookMs: 1_000 };
    const dead = await NodeLease.start({ store, clock, random, log, ...settings, onLost: () => undefined });
    dead.kill();
    const living = await NodeLease.start({ store, clock, random, log, ...settings, onLost: () => undefined });
    // Another database answers in real time, in which a virtual second is no time at all.
    const stands = async () => {
      await testNode.advance(1_000);
      return (await nodes()).some(({ id }) => id === dead.nodeId);
    };
    for (let second = 1; second < 15; second += 1) expect(await stands()).toBe(true);
    // Whichever node sees it first takes the row away; the others know when they look next.
    const isKnown = () => living.living.some(({ id }) => id === dead.nodeId);
    let late = 0;
    while (late < 60 && ((await stands()) || isKnown())) late += 1;
    expect(late).toBeLessThan(60);
    await living[Symbol.asyncDispose]();
  });

  it("is renewed soon after a renewal has failed, and not only when the next one is due", async () => {
    const { store, clock, random, log } = testNode;
    let away = false;
    const flaky: LeaseStore = {
      service: store.service,
      fenceBy: (fence) => store.fenceBy(fence),
      writeUnfenced: (work) => store.writeUnfenced(work),
      writeService: (work) => (away ? Promise.reject(new Error("the database is away")) : store.writeService(work)),
    };
    const settings = { nodeLeaseMs: 15_000, nodeRenewMs: 5_000, nodeLookMs: 1_000 };
    const lease = await NodeLease.start({ store: flaky, clock, random, log, ...settings, onLost: () => undefined });
    const until = async () => (await nodes()).find(({ id }) => id === lease.nodeId)?.lease_until ?? 0;
    const taken = await until();
    await testNode.advance(4_900);
    away = true;
    await testNode.advance(200);
    await until();
    away = false;
    // Less than until the next one is due.
    for (let step = 0; step < 16 && (await until()) === taken; step += 1) await testNode.advance(250);
    expect(await until()).toBeGreaterThan(taken);
    await lease[Symbol.asyncDispose]();
  });

  it("is given back at the end", async () => {
    const { store, clock, random, log } = testNode;
    const lease = await NodeLease.start({
      store,
      clock,
      random,
      log,
      nodeLeaseMs: 15_000,
      nodeRenewMs: 5_000,
      nodeLookMs: 1_000,
      onLost: () => undefined,
    });
    await lease[Symbol.asyncDispose]();
    expect((await nodes()).some(({ id }) => id === lease.nodeId)).toBe(false);
  });
});
