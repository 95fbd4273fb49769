import { expect, test } from "vitest";
import { Progress } from "./service-manager.ts";
import type { AgentStatus } from "./status-schema.ts";

const MINUTE = 60_000;
const tunnel = (state: AgentStatus["tunnel"]["state"], since: number, until?: number) => ({
  tunnel: { state, since, live: false, until, welcomes: 0, counts: {} },
});

test.each([
  ["connecting", 3, "the tunnel is connecting"],
  ["opening", 3, "the tunnel is opening"],
  ["connecting", 1, undefined],
  ["online", 100_000, undefined],
  ["unpaired", 100_000, undefined],
  ["stopped", 100_000, undefined],
] as const)("an agent that is %s for %d min is stuck: %s", (state, minutes, stuck) => {
  const progress = new Progress();
  expect(progress.stuck(tunnel(state, 5), 0)).toBeUndefined();
  expect(progress.stuck(tunnel(state, 5), minutes * MINUTE)).toBe(stuck);
});

test("a hub that waits is stuck only when it does not continue at its stated time", () => {
  const progress = new Progress();
  const waiting = tunnel("waiting", 1000, 1000 + 15 * MINUTE);
  expect(progress.stuck(waiting, 0)).toBeUndefined();
  expect(progress.stuck(waiting, 15.9 * MINUTE)).toBeUndefined();
  expect(progress.stuck(waiting, 16.1 * MINUTE)).toBe("the tunnel is waiting");
});

test("a hub without internet tries and waits in turn for ever, and is never stuck", () => {
  const progress = new Progress();
  for (let turn = 0; turn < 1000; turn++) {
    const at = turn * 2 * MINUTE;
    expect(progress.stuck(tunnel("connecting", at), at)).toBeUndefined();
    expect(progress.stuck(tunnel("waiting", at + 1, at + MINUTE), at + MINUTE)).toBeUndefined();
  }
});

test("a wall clock that is set back or forward makes no hub stuck", () => {
  const progress = new Progress();
  const day = 24 * 60 * MINUTE;
  expect(progress.stuck(tunnel("connecting", 1000 * day), 0)).toBeUndefined();
  expect(progress.stuck(tunnel("connecting", 1000 * day), MINUTE)).toBeUndefined();
  expect(progress.stuck(tunnel("waiting", 3 * day, 3 * day + 1000), MINUTE + 1)).toBeUndefined();
  // Its two times are of one moment, so that a later start of the wait is still a wait of a second.
  expect(progress.stuck(tunnel("waiting", 3 * day, 3 * day + 1000), 1.5 * MINUTE)).toBeUndefined();
});
