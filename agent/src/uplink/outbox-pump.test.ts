import { seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { HubRecord } from "@porchlight/shared/tunnel";
import { JsonText, PeerGone, PeerRefused, RPC_ERRORS } from "@porchlight/shared/tunnel";
import { describe, expect, test } from "vitest";
import { BUTTON, device, LAMP, level, on, pressed } from "../state/state.fixture.ts";
import { Hub } from "./hub.fixture.ts";
import { OutboxPump } from "./outbox-pump.ts";

/** A connected hub that has reported everything so far. */
async function quietHub(): Promise<Hub> {
  const hub = await Hub.online();
  await hub.clock.advance(2000);
  return hub;
}

const numbers = (records: readonly HubRecord[]) => records.map(({ n }) => n);
const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1);

/** Button presses that are committed, so many. */
async function press(hub: Hub, times: number): Promise<void> {
  const reports = Array.from({ length: times }, (_, seq) =>
    hub.state.report(pressed(), { node: LAMP, boot: Math.floor(hub.clock.monotonic()) + 100, seq }),
  );
  await hub.disk.done(Promise.all(reports));
}

describe("the outbox", () => {
  test("sends what is learned, and deletes it once the cloud has it", async () => {
    await using hub = await quietHub();
    await hub.disk.report(hub.state, on(true));
    await hub.clock.advance(2000);
    expect(hub.cloud.history.at(-1)).toMatchObject({ kind: "value", value: true, cause: "report" });
    expect(hub.state.status()).toMatchObject({ queuedRecords: 0, acknowledged: hub.cloud.stored });
  });

  test("lets records wait 20 ms for each other", async () => {
    await using hub = await quietHub();
    const batches = hub.cloud.tunnel.batches.length;
    await hub.cloud.ask("command", { id: "cmd_1", ...on(true) });
    await hub.cloud.ask("command", { id: "cmd_2", ...level(4) });
    expect(hub.cloud.tunnel.batches).toHaveLength(batches);
    await hub.clock.advance(20);
    expect(hub.cloud.tunnel.batches.slice(batches).map((batch) => batch.length)).toEqual([2]);
  });

  test("sends at most 200 records in a batch and four batches unanswered", async () => {
    await using hub = await Hub.make();
    await press(hub, 1500);
    const seen: number[] = [];
    const answers: (() => void)[] = [];
    hub.cloud.answers = {
      records: (params) => {
        const { records } = params as { records: HubRecord[] };
        seen.push(records.length);
        return new Promise((resolve) => answers.push(() => resolve({ acknowledged: records.at(-1)?.n })));
      },
    };
    hub.connect();
    await hub.clock.advance(100);
    expect(seen).toEqual([200, 200, 200, 200]);
    answers.shift()?.();
    await hub.clock.advance(0);
    expect(seen).toHaveLength(5);
    for (let rounds = 0; rounds < 10; rounds++) {
      answers.shift()?.();
      await hub.clock.advance(0);
    }
    expect(seen).toEqual([200, 200, 200, 200, 200, 200, 200, 101]);
  });

  test("sends every record once there is room, after so many answers waited that the tunnel took no more", async () => {
    const clock = new VirtualClock();
    const sent: string[] = [];
    let hasRoom = false;
    const ask = async (_method: string, records: unknown) => {
      if (!hasRoom || !(records instanceof JsonText)) throw new PeerGone(false);
      sent.push(records.text);
      return { acknowledged: sent.length };
    };
    const pendingTexts = (after: number) =>
      after < 3 ? { texts: [String(after + 1)], last: after + 1 } : { texts: [], last: after };
    using pump = new OutboxPump({
      ...{
        clock,
        random: seededRandom(1),
        log: silentLog,
        peer: { ask, isDown: false },
        acknowledged: 0,
        lingerMs: 20,
      },
      ...{ state: { pendingTexts, acknowledge: async () => undefined }, failed: () => undefined },
    });
    pump.open();
    await clock.advance(1000);
    expect(sent).toEqual([]);
    hasRoom = true;
    await clock.advance(60_000);
    expect(sent).toEqual([1, 2, 3].map((n) => `{"records":[${n}]}`));
  });

  test("keeps a batch under 128 KiB", async () => {
    await using hub = await Hub.make();
    const long = "x".repeat(15_000);
    const reports = Array.from({ length: 20 }, (_, seq) =>
      hub.state.report(pressed(long), { node: LAMP, boot: 1, seq }),
    );
    await hub.disk.done(Promise.all(reports));
    hub.connect();
    await hub.clock.advance(100);
    const sizes = hub.cloud.tunnel.batches.map((batch) => JSON.stringify(batch).length);
    expect(Math.max(...sizes)).toBeLessThan(132 * 1024);
    expect(hub.cloud.history).toHaveLength(21);
  });

  test.each([
    ["the cloud had stored it and its answer was lost", true],
    ["the cloud had not stored it", false],
  ] as const)("goes on after a break without loss or doubling when %s", async (_title, stored) => {
    await using hub = await Hub.make();
    await press(hub, 300);
    const { cloud } = hub;
    cloud.answers = {
      records: (params) => {
        if (stored) for (const record of (params as { records: HubRecord[] }).records) cloud.history.push(record);
        if (stored) cloud.stored = cloud.history.at(-1)?.n ?? 0;
        return new Promise(() => undefined);
      },
    };
    hub.connect();
    await hub.clock.advance(50);
    cloud.tunnel.cut();
    cloud.answers = {};
    await press(hub, 10);
    await hub.clock.advance(5000);
    expect(numbers(cloud.history)).toEqual(upTo(311));
    expect(hub.state.queued).toBe(0);
    // What the cloud has is not sent again.
    expect(cloud.tunnel.batches.flat()[0]?.n).toBe(stored ? 302 : 1);
  });

  test("goes on after the hub was killed without loss or doubling", async () => {
    await using hub = await Hub.online();
    for (let lives = 0; lives < 4; lives++) {
      await press(hub, 30);
      await hub.clock.advance(lives * 15);
      await hub.crash();
    }
    await hub.clock.advance(5000);
    expect(numbers(hub.cloud.history)).toEqual(upTo(hub.state.lastNumber));
    expect(hub.state.lastNumber).toBe(121);
  });

  test("a batch that the cloud refuses, or stores in part, is sent again from the last acknowledged, and commands go on", async () => {
    await using hub = await Hub.make();
    await press(hub, 450);
    const { cloud } = hub;
    let batches = 0;
    cloud.answers = {
      records: (params) => {
        const { records } = params as { records: HubRecord[] };
        batches += 1;
        // Refused, as is all that was sent behind it; then one of which only a part is stored.
        if (batches <= 3 || (records[0]?.n ?? 0) > cloud.stored + 1)
          return Promise.reject(new PeerRefused(RPC_ERRORS.internal));
        if (batches > 4) return undefined;
        cloud.history.push(...records.slice(0, 100));
        cloud.stored = 100;
        return { acknowledged: 100 };
      },
    };
    hub.connect();
    await hub.clock.advance(10);
    expect(batches).toBe(3);
    expect(await cloud.ask("command", { id: "cmd_1", ...on(true) })).toMatchObject({ outcome: "confirmed" });
    await hub.clock.advance(200_000);
    expect(cloud.tunnels).toHaveLength(1);
    expect(hub.state.queued).toBe(0);
    expect(numbers(cloud.history)).toEqual(upTo(452));
  });

  test("a cloud that does not answer for records is left as overloaded", async () => {
    await using hub = await Hub.make();
    hub.cloud.answers = { records: () => new Promise(() => undefined) };
    hub.connect();
    await hub.clock.advance(31_000);
    expect(hub.cloud.tunnels[0]?.down).toBe("overloaded");
  });

  test("a resync sends every current value under new numbers", async () => {
    await using hub = await quietHub();
    await hub.disk.report(hub.state, on(true));
    await hub.clock.advance(2000);
    hub.cloud.welcome = { resync: true };
    const before = hub.state.lastNumber;
    hub.cloud.tunnel.cut();
    await hub.clock.advance(5000);
    expect(hub.cloud.history.at(-1)).toMatchObject({ n: before + 1, property: "on", value: true });
  });
});

describe("the inventory", () => {
  test("is sent when the cloud asks for it, with the descriptions that it wants", async () => {
    await using hub = await Hub.make();
    hub.cloud.welcome = { inventory: true };
    hub.connect();
    await hub.clock.advance(0);
    expect(hub.cloud.tunnel).toMatchObject({ inventories: [[LAMP]], described: [LAMP] });
  });

  test("is not sent after a break in which nothing has changed", async () => {
    await using hub = await quietHub();
    hub.cloud.tunnel.cut();
    await hub.clock.advance(5000);
    expect(hub.cloud.tunnels).toHaveLength(2);
    expect(hub.cloud.tunnel).toMatchObject({ inventories: [], described: [], batches: [] });
  });

  test("a device that arrives is described before its first record is sent", async () => {
    await using hub = await quietHub();
    const order: string[] = [];
    hub.cloud.answers = {
      describe: () => void order.push("described"),
      records: () => void order.push("recorded"),
    };
    await hub.disk.done(Promise.all([hub.state.arrive(device(BUTTON)), hub.state.learn(on(true, BUTTON), "read")]));
    await hub.clock.advance(2000);
    // The lamp is described again: this cloud always asks for everything.
    expect(order).toEqual(["described", "described", "recorded"]);
    expect(hub.cloud.history.at(-1)).toMatchObject({ device: BUTTON, value: true });
  });

  test("a device that only goes offline is reported by a record alone", async () => {
    await using hub = await quietHub();
    await hub.disk.done(hub.state.leave(LAMP));
    await hub.clock.advance(2000);
    expect(hub.cloud.tunnel.inventories).toEqual([]);
    expect(hub.cloud.history.at(-1)).toMatchObject({ kind: "presence", online: false });
  });

  test("a device that the cloud refuses holds up neither the others nor the records", async () => {
    await using hub = await Hub.make();
    await hub.disk.done(hub.state.arrive(device(BUTTON)));
    hub.cloud.welcome = { inventory: true };
    const { cloud } = hub;
    cloud.answers = {
      describe: (params) =>
        (params as { edgeId: string }).edgeId === LAMP
          ? Promise.reject(new PeerRefused(RPC_ERRORS.invalidParams))
          : undefined,
    };
    hub.connect();
    await hub.clock.advance(2000);
    expect(cloud.tunnel.described).toEqual([BUTTON]);
    expect(cloud.stored).toBe(2);
    expect(hub.logged).toContain("the cloud refused the description of a device");
  });
});
