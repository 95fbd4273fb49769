import { describe, expect, test } from "vitest";
import { on } from "../state/state.fixture.ts";
import { DialRefused } from "./dial.ts";
import { Hub } from "./hub.fixture.ts";

const MINUTE = 60_000;
const command = (id: string, value: boolean) => ({ id, ...on(value) });

describe("coming back", () => {
  test("the hub tries for ever, on every kind of failure, at most a minute apart", async () => {
    await using hub = await Hub.make();
    for (let times = 0; times < 40; times++) {
      hub.cloud.refusals.push(times % 3 === 0 ? new DialRefused(500) : new Error("no route to host"));
    }
    hub.connect();
    await hub.clock.advance(41 * MINUTE);
    expect(hub.tunnelState?.kind).toBe("online");
    const { dials } = hub.cloud;
    expect(dials).toHaveLength(41);
    expect(Math.max(...dials.map((at, place) => at - (dials[place - 1] ?? 0)))).toBeLessThanOrEqual(MINUTE);
  });

  test("a dial that never ends is given up after 10 s", async () => {
    await using hub = await Hub.make();
    const { dial } = hub.cloud;
    let dials = 0;
    Object.assign(hub.cloud, {
      dial: (...args: Parameters<typeof dial>) => (++dials === 1 ? new Promise(() => undefined) : dial(...args)),
    });
    hub.connect();
    await hub.clock.advance(11_500);
    expect(hub.tunnelState?.kind).toBe("online");
  });

  test("retry-after is honoured", async () => {
    await using hub = await Hub.make();
    hub.cloud.refusals.push(new DialRefused(429, 30_000));
    hub.connect();
    await hub.clock.advance(29_999);
    expect(hub.cloud.dials).toHaveLength(1);
    await hub.clock.advance(1001);
    expect(hub.tunnelState?.kind).toBe("online");
  });

  test("a rejected token is reported to the user and tried again every five minutes", async () => {
    await using hub = await Hub.make();
    hub.cloud.refusals.push(new DialRefused(401), new DialRefused(403));
    hub.connect();
    await hub.clock.advance(5 * MINUTE - 1);
    expect(hub.cloud.dials).toHaveLength(1);
    expect(hub.tunnelState).toMatchObject({ kind: "waiting", reason: "rejected" });
    expect(hub.logged[0]).toContain("does not accept this hub");
    await hub.clock.advance(5 * MINUTE + 1);
    expect(hub.tunnelState?.kind).toBe("online");
  });

  test("a superseded hub waits a minute, doubling to 15, says so, and touches nothing meanwhile", async () => {
    await using hub = await Hub.online();
    const waits: number[] = [];
    for (let times = 0; times < 6; times++) {
      hub.driver.hold();
      const first = hub.cloud.ask("command", command(`cmd_${times}`, true));
      const second = hub.cloud.ask("command", command(`cmd_${times}_queued`, true));
      const gone = Promise.allSettled([first, second]);
      await hub.clock.advance(10);
      const touches = hub.driver.touches.length;
      await hub.cloud.close("superseded");
      await gone;
      hub.driver.release();
      const from = hub.clock.monotonic();
      expect(hub.tunnelState).toMatchObject({ kind: "waiting", reason: "superseded" });
      while (hub.cloud.tunnels.length === times + 1) await hub.clock.advance(MINUTE / 2);
      waits.push((hub.clock.monotonic() - from) / MINUTE);
      expect(hub.driver.touches).toHaveLength(touches);
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
    expect(hub.logged[0]).toContain("another agent");
  });

  test("sent away by goaway, it ends what it carries out, leaves, and is back at once", async () => {
    await using hub = await Hub.online();
    const first = hub.cloud.tunnel;
    hub.driver.hold();
    first.peer.notify("goaway", { afterMs: 3000 });
    await hub.clock.advance(2900);
    const answer = hub.cloud.ask("command", command("cmd_1", true));
    expect(hub.tunnelState?.kind).toBe("leaving");
    await hub.clock.advance(1000);
    expect(first.down).toBeUndefined();
    hub.driver.release();
    expect(await answer).toMatchObject({ outcome: "confirmed" });
    await hub.clock.advance(100);
    expect(first.down).toBe("stopping");
    expect(hub.tunnelState).toMatchObject({ kind: "online", epoch: 2 });
  });

  test("sent on by one node after another, it tries at once until one takes it in", async () => {
    await using hub = await Hub.make();
    hub.cloud.refusals.push(...Array.from({ length: 5 }, () => new DialRefused(503, 0)));
    hub.connect();
    await hub.clock.advance(500);
    expect(hub.cloud.dials).toHaveLength(6);
    expect(hub.tunnelState?.kind).toBe("online");
  });

  test("sent on for ever, it asks no more often than by the backoff after the first twenty times", async () => {
    await using hub = await Hub.make();
    hub.cloud.refusals.push(...Array.from({ length: 2000 }, () => new DialRefused(503, 0)));
    hub.connect();
    await hub.clock.advance(60 * MINUTE);
    expect(hub.cloud.dials.length).toBeGreaterThan(60);
    expect(hub.cloud.dials.length).toBeLessThan(200);
  });

  test("sent away to a cloud that does not listen yet, it is back within a second", async () => {
    await using hub = await Hub.online();
    hub.cloud.refusals.push(new Error("connection refused"));
    hub.cloud.tunnel.peer.notify("goaway", { afterMs: 0 });
    await hub.clock.advance(1100);
    expect(hub.tunnelState).toMatchObject({ kind: "online", epoch: 2 });
  });

  test("stopping in order ends what is carried out and says goodbye", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const answer = hub.cloud.ask("command", command("cmd_1", true));
    await hub.clock.advance(1);
    const stopped = hub.uplink?.[Symbol.asyncDispose]();
    await hub.clock.advance(100);
    hub.driver.release();
    expect(await answer).toMatchObject({ outcome: "confirmed" });
    await stopped;
    expect(hub.cloud.tunnel.down).toBe("stopping");
    expect(hub.tunnelState?.kind).toBe("stopped");
    await hub.clock.advance(10 * MINUTE);
    expect(hub.cloud.tunnels).toHaveLength(1);
  });

  test("stopping in order settles when the socket is closed on both ends, and not before", async () => {
    await using hub = await Hub.make();
    const { promise, resolve } = Promise.withResolvers<void>();
    hub.cloud.held = promise;
    const uplink = hub.connect();
    await hub.clock.advance(0);
    let isStopped = false;
    const stopped = uplink[Symbol.asyncDispose]().then(() => {
      isStopped = true;
    });
    await hub.clock.advance(1_000);
    expect([hub.cloud.tunnel.down, isStopped]).toEqual(["stopping", false]);
    resolve();
    await stopped;
  });

  test("a killed hub says nothing more and touches nothing more", async () => {
    await using hub = await Hub.online();
    const answer = hub.cloud.ask("command", command("cmd_1", true)).catch(() => "nothing");
    hub.uplink?.kill();
    await hub.clock.advance(MINUTE);
    expect(hub.driver.touches).toEqual([]);
    expect(hub.cloud.tunnel.down).toBeUndefined();
    expect(await answer).toBe("nothing");
    expect(hub.cloud.tunnel.heartbeats).toBe(0);
  });
});
