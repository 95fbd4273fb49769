import { silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { Peer, socketPair } from "@porchlight/shared/tunnel";
import { describe, expect, test } from "vitest";
import { Heartbeat } from "./heartbeat.ts";
import { isLive, NO_LEASE, renewed } from "./lease.ts";

describe("the hub's view of its lease", () => {
  test("runs from when the hub sent what was answered, not from the answer", () => {
    const lease = renewed(NO_LEASE, 1000, 15_000);
    expect([isLive(lease, 15_999), isLive(lease, 16_000)]).toEqual([true, false]);
  });

  test("an answer that comes after a later one shortens nothing", () => {
    expect(renewed(renewed(NO_LEASE, 6000, 15_000), 1000, 15_000)).toEqual({ endsAt: 21_000 });
  });

  test("there is none before the first answer", () => {
    expect(isLive(NO_LEASE, -1e9)).toBe(false);
  });

  test("an agent that stood still sees that its lease has ended before any of its timers fires", () => {
    const clock = new VirtualClock();
    let stoodStill = 0;
    const own = {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + stoodStill,
      timer: clock.timer.bind(clock),
    };
    const events = { request: () => undefined, notification: () => false, down: () => undefined };
    const peer = new Peer(socketPair().a, own, events);
    const nothing = () => undefined;
    using heartbeat = Heartbeat.start({
      clock: own,
      log: silentLog,
      peer,
      heartbeatMs: 5000,
      leaseMs: 15_000,
      lease: renewed(NO_LEASE, 0, 15_000),
      queued: () => 0,
      heard: nothing,
      expired: nothing,
      malformed: nothing,
    });
    expect(heartbeat.live).toBe(true);
    stoodStill = 20_000;
    expect(heartbeat.live).toBe(false);
  });
});
