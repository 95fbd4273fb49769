import { settle, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { Liveness, type Questioned } from "./questioned-peer.ts";

/** A node and what was done with it. */
function given(state: { isThere: boolean; hasSession?: boolean; idleMs?: number }) {
  const clock = new VirtualClock();
  const did: string[] = [];
  const node: Questioned = {
    get hasSession() {
      return state.hasSession ?? true;
    },
    get idleMs() {
      return state.idleMs ?? 500;
    },
    answers: (signal) =>
      new Promise((resolve) => {
        did.push("asked");
        if (state.isThere) return resolve(true);
        signal.addEventListener("abort", () => resolve(false), { once: true });
      }),
    reconnect: async () => {
      did.push("connected anew");
      state.isThere = true;
    },
    hurry: () => void did.push("hurried"),
  };
  return { clock, did, liveness: new Liveness(clock, node), state };
}

describe("a node that is asked whether it is there", () => {
  test("is left alone when it answers", async () => {
    const { liveness, did } = given({ isThere: true });
    expect(await liveness.check()).toBe(true);
    expect(did).toEqual(["asked"]);
  });

  test("is connected anew when it does not answer within four seconds", async () => {
    const { liveness, did, clock } = given({ isThere: false });
    const checking = liveness.check();
    await clock.advance(3999);
    expect(did).toEqual(["asked"]);
    await clock.advance(1);
    expect(await checking).toBe(false);
    expect(did).toEqual(["asked", "connected anew"]);
  });

  test("is given more time when it listens seldom", async () => {
    const { liveness, did, clock } = given({ isThere: false, idleMs: 5000 });
    const checking = liveness.check();
    await clock.advance(39_000);
    expect(did).toEqual(["asked"]);
    await clock.advance(1000);
    expect(await checking).toBe(false);
  });

  test("is asked one question, for all callers", async () => {
    const { liveness, did, clock } = given({ isThere: false });
    const both = [liveness.check(), liveness.check()];
    await clock.advance(4000);
    expect(await Promise.all(both)).toEqual([false, false]);
    expect(did).toEqual(["asked", "connected anew"]);
  });

  test("is connected anew at once when it has no session", async () => {
    const { liveness, did } = given({ isThere: false, hasSession: false });
    expect(await liveness.check()).toBe(false);
    expect(did).toEqual(["connected anew"]);
  });
});

describe("a node whose address is announced", () => {
  test("is asked, a few times in a minute at most", async () => {
    const { liveness, did, clock } = given({ isThere: true });
    for (let second = 0; second < 60; second++) {
      liveness.announced();
      await clock.advance(1000);
    }
    expect(did.length).toBeGreaterThan(2);
    expect(did.length).toBeLessThan(8);
  });

  test("may have restarted right after it was paired", async () => {
    const { liveness, did, clock, state } = given({ isThere: true });
    liveness.announced();
    await clock.advance(2000);
    state.isThere = false;
    liveness.announced();
    await clock.advance(4000);
    await settle();
    expect(did).toEqual(["asked", "asked", "connected anew"]);
  });

  test("is asked at once for a session when it has none", () => {
    const { liveness, did } = given({ isThere: true, hasSession: false });
    liveness.announced();
    expect(did).toEqual(["hurried"]);
  });

  test("is not woken when it sleeps", () => {
    const { liveness, did } = given({ isThere: true, idleMs: 5000 });
    liveness.announced();
    expect(did).toEqual([]);
  });
});
