import { PeerGone } from "@porchlight/shared/tunnel";
import { describe, expect, test } from "vitest";
import { on } from "../state/state.fixture.ts";
import { Hub } from "./hub.fixture.ts";

const MINUTE = 60_000;
const command = (id: string, value: boolean) => ({ id, ...on(value) });

describe("opening", () => {
  test("the hub proves its key for this challenge, token and host, and is online at its welcome", async () => {
    await using hub = await Hub.online();
    const { hello } = hub.cloud.tunnel;
    expect(hello).toMatchObject({
      edgeId: "02-00-00-00-00-01",
      logId: hub.state.logId,
      lastNumber: 1,
      acknowledged: 0,
      queued: 1,
    });
    expect(hub.tunnelState).toMatchObject({ kind: "online", epoch: 1 });
  });

  test("the instance is another at every start, and the same at every reconnect", async () => {
    await using hub = await Hub.online();
    const first = hub.cloud.tunnel.hello?.instance;
    hub.cloud.tunnel.cut();
    await hub.clock.advance(MINUTE);
    expect(hub.cloud.tunnel.hello?.instance).toBe(first);
    await hub.crash();
    expect(hub.cloud.tunnel.hello?.instance).not.toBe(first);
  });

  test("a cloud that accepts the socket and then says nothing is left after 10 s, and tried again", async () => {
    await using hub = await Hub.make();
    hub.cloud.answers = { hello: () => new Promise(() => undefined) };
    hub.connect();
    await hub.clock.advance(9_999);
    expect(hub.cloud.tunnels).toHaveLength(1);
    expect(hub.cloud.tunnel.down).toBeUndefined();
    await hub.clock.advance(1);
    expect(hub.cloud.tunnel.down).toBe("hello_timeout");
    await hub.clock.advance(2000);
    expect(hub.cloud.tunnels).toHaveLength(2);
  });

  test("a command in the same breath as the welcome waits for it and is carried out", async () => {
    await using hub = await Hub.make();
    hub.connect();
    // Asked before the hub has even sent its hello.
    const answer = hub.clock.until(
      Promise.resolve().then(() => hub.cloud.ask("command", command("cmd_1", true))),
      20_000,
    );
    expect(await answer).toMatchObject({ outcome: "confirmed" });
  });

  test("a cloud that knows more of the history than the hub makes the hub begin a new one", async () => {
    await using hub = await Hub.make();
    const before = hub.state.logId;
    hub.cloud.stored = 50;
    hub.cloud.welcome = { acknowledged: 50 };
    hub.connect();
    await hub.clock.advance(0);
    expect(hub.state.logId).not.toBe(before);
    hub.cloud.welcome = { acknowledged: 0 };
    hub.cloud.stored = 0;
    await hub.clock.advance(2000);
    expect(hub.cloud.tunnel.hello?.logId).toBe(hub.state.logId);
    expect(hub.tunnelState?.kind).toBe("online");
  });
});

describe("commands through the tunnel", () => {
  test("are carried out and answered", async () => {
    await using hub = await Hub.online();
    expect(await hub.cloud.ask("command", command("cmd_1", true))).toMatchObject({ outcome: "confirmed", value: true });
    const answer = await hub.clock.until(hub.cloud.ask("read", { items: [{ ...on(0), value: undefined }] }));
    expect(answer).toMatchObject({ items: [{ value: true }] });
  });

  test("an agent that stood still while its caller gave up does not move the lamp", async () => {
    await using hub = await Hub.online();
    // The frame was sent before the hub stood still, and is read when it goes on.
    hub.standStill(12_000);
    const answer = await hub.cloud.ask("command", command("cmd_1", true));
    expect(answer).toMatchObject({ outcome: "not_applied" });
    expect(answer).toMatchObject({ failure: { detail: expect.stringContaining("deadline") } });
    expect(hub.driver.touches).toEqual([]);
  });

  test("an agent that stood still for longer than its lease neither carries out nor refuses a fresh command", async () => {
    await using hub = await Hub.online();
    hub.standStill(15_000);
    const at = hub.cloud.at + 15_000;
    const fresh = { ...command("cmd_1", true), at, deadline: at + 10_000 };
    const answer = hub.cloud.ask("command", fresh).catch((failure: unknown) => failure);
    await hub.clock.advance(0);
    hub.cloud.tunnel.cut();
    expect(await answer).toBeInstanceOf(PeerGone);
    expect(hub.driver.touches).toEqual([]);
  });

  test("a hub whose lease has ended, as it sees it, does not touch hardware, and leaves the tunnel", async () => {
    await using hub = await Hub.online();
    hub.cloud.answers = { heartbeat: () => new Promise(() => undefined) };
    await hub.clock.advance(14_999);
    expect(hub.cloud.tunnel.down).toBeUndefined();
    hub.driver.hold();
    const gone = Promise.allSettled([
      hub.cloud.ask("command", command("cmd_1", true)),
      hub.cloud.ask("command", command("cmd_2", false)),
    ]);
    await hub.clock.advance(1);
    hub.driver.release();
    expect((await gone).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(hub.cloud.tunnel.down).toBe("lease_expired");
    await hub.clock.advance(0);
    expect(hub.driver.touches).toMatchObject([{ value: true }]);
  });

  test("a heartbeat that is answered late renews the lease from when it was sent", async () => {
    await using hub = await Hub.online();
    let beats = 0;
    const late = Promise.withResolvers<unknown>();
    hub.cloud.answers = { heartbeat: () => (++beats === 1 ? late.promise : new Promise(() => undefined)) };
    await hub.clock.advance(14_000);
    late.resolve({ at: hub.cloud.at });
    await hub.clock.advance(5999);
    expect(hub.cloud.tunnel.down).toBeUndefined();
    await hub.clock.advance(1);
    expect(hub.cloud.tunnel.down).toBe("lease_expired");
  });

  test("a read is given up when it is cancelled, and when the tunnel drops", async () => {
    await using hub = await Hub.online();
    const { value: _, ...target } = on(0);
    const reading = async () => {
      hub.driver.hold();
      let id = 0;
      const params = { at: hub.cloud.at, deadline: hub.cloud.at + 10_000, items: [target] };
      const onId = (given: number) => {
        id = given;
      };
      hub.cloud.tunnel.peer.ask("read", params, { timeoutMs: 60_000, onId }).catch(() => undefined);
      await hub.clock.advance(1);
      return id;
    };
    hub.cloud.tunnel.peer.notify("cancel", { id: await reading() });
    await hub.clock.advance(1);
    expect(hub.driver.signals.map((signal) => signal?.aborted)).toEqual([true]);
    hub.driver.release();
    await hub.clock.advance(100);
    await reading();
    expect(hub.driver.signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    hub.cloud.tunnel.cut();
    expect(hub.driver.signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    hub.driver.release();
  });

  test("heartbeats that are answered keep the lease alive, and tell how long they took", async () => {
    await using hub = await Hub.online();
    await hub.clock.advance(2 * MINUTE);
    expect(hub.cloud.tunnels).toHaveLength(1);
    expect(hub.cloud.tunnel.heartbeats).toBe(24);
    expect(hub.uplink?.status()).toMatchObject({ live: true, roundTripMs: 0, welcomes: 1 });
  });

  test("a hub that the cloud slows says so, once a minute in its log and always in its status", async () => {
    await using hub = await Hub.online();
    hub.cloud.answers = { heartbeat: () => ({ at: hub.cloud.at, slowedMs: 1_200 }) };
    await hub.clock.advance(MINUTE);
    expect(hub.uplink?.status().slowedMs).toBe(1_200);
    expect(hub.logged).toEqual(["this hub sends more than its budget: the cloud reads it slowly"]);
    await hub.clock.advance(10_000);
    expect(hub.logged).toHaveLength(2);
    hub.cloud.answers = {};
    await hub.clock.advance(10_000);
    expect(hub.uplink?.status()).toMatchObject({ slowedMs: undefined, live: true });
  });

  test("a command that is cancelled before its turn is not begun", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const { peer } = hub.cloud.tunnel;
    const first = hub.cloud.ask("command", command("cmd_1", true));
    let id = 0;
    const params = { at: hub.cloud.at, deadline: hub.cloud.at + 10_000, ...command("cmd_2", false) };
    const second = peer.ask("command", params, {
      timeoutMs: 60_000,
      onId: (given) => {
        id = given;
      },
    });
    await hub.clock.advance(10);
    peer.notify("cancel", { id });
    await hub.clock.advance(10);
    hub.driver.release();
    expect(await first).toMatchObject({ outcome: "confirmed" });
    expect(await second).toMatchObject({ outcome: "not_applied" });
  });

  test("a drop of the tunnel cancels commands that wait; one that was begun is recorded and reported later", async () => {
    await using hub = await Hub.online();
    hub.driver.hold();
    const answers = [
      hub.cloud.ask("command", command("cmd_1", true)),
      hub.cloud.ask("command", command("cmd_2", false)),
    ];
    const gone = Promise.allSettled(answers);
    await hub.clock.advance(10);
    hub.cloud.tunnel.cut();
    await gone;
    hub.driver.release();
    await hub.clock.advance(5000);
    expect(hub.driver.touches).toMatchObject([{ value: true }]);
    expect(hub.cloud.history.filter(({ kind }) => kind === "result")).toMatchObject([
      { command: "cmd_1", outcome: "confirmed" },
    ]);
  });

  test("a request that breaks its schema closes the tunnel as malformed; an unknown method does not", async () => {
    await using hub = await Hub.online();
    await expect(hub.cloud.ask("sing", {})).rejects.toThrow("unknown method");
    await expect(hub.cloud.ask("command", { id: 7 })).rejects.toThrow();
    await hub.clock.advance(0);
    expect(hub.cloud.tunnel.down).toBe("malformed");
    expect(hub.uplink?.status().counts).toEqual({ unknown_method: 1 });
  });
});
