/** Every state that a hub's connection can be in. */
import { describe, expect, it } from "vitest";
import { hubConnection, offlineDue, type PresenceSigns } from "./presence.ts";

const stored = {
  online: 0,
  online_since: null,
  last_seen_at: null,
  agent_version: null,
  stores_scenes: null,
  reason: null,
  created_at: 10,
  held_by: null,
  ended_at: null,
};
const nothing: PresenceSigns = {
  tunnel: undefined,
  isLive: false,
  ended: undefined,
  stored,
  elsewhere: false,
  startedAt: 500,
};
const tunnel = {
  openedAt: 100,
  lastHeardAt: 200,
  agentVersion: "1.2.3",
  storesScenes: true,
  roundTripMs: 12,
  clockSkewMs: -3,
  reconnects24h: 2,
  queuedReports: 7,
};
const ended = { closedAt: 300, lastHeardAt: 290, reason: "lost" };

describe("a hub's connection", () => {
  it.each([
    ["a hub that never connected is offline since it was made", nothing, { state: "offline", since: 10 }],
    [
      "a live tunnel is online",
      { ...nothing, tunnel, isLive: true },
      { state: "online", since: 100, lastSeenAt: 200, queuedReports: 7, storesScenes: true },
    ],
    [
      "a live tunnel counts for more than any end before it",
      { ...nothing, tunnel, isLive: true, ended },
      { state: "online" },
    ],
    [
      "a tunnel whose lease is over and that is not closed yet is unknown since it was heard",
      { ...nothing, tunnel, stored: { ...stored, online: 1, online_since: 20, last_seen_at: 100 } },
      { state: "unknown", since: 200, lastSeenAt: 200, agentVersion: "1.2.3" },
    ],
    [
      "a tunnel on another node that is not known to live is unknown",
      { ...nothing, stored: { ...stored, online: 1, online_since: 100, last_seen_at: 120, held_by: "node_a" } },
      { state: "unknown", since: 500, lastSeenAt: undefined },
    ],
    [
      "an end that another node saw is offline at once, before any event",
      { ...nothing, stored: { ...stored, online: 1, last_seen_at: 590, reason: "lost", ended_at: 600 } },
      { state: "offline", since: 600, lastSeenAt: 590, reason: "lost" },
    ],
    [
      "an end because this node lost its lease is unknown since then",
      { ...nothing, ended: { ...ended, reason: "restart" }, stored: { ...stored, online: 1, last_seen_at: 250 } },
      { state: "unknown", since: 300, lastSeenAt: 290 },
    ],
    [
      "an end because its node stopped is unknown since then",
      { ...nothing, stored: { ...stored, online: 1, last_seen_at: 590, reason: "restart", ended_at: 600 } },
      { state: "unknown", since: 600, lastSeenAt: 590 },
    ],
    [
      "the end of a later tunnel counts for more than the one that this process saw",
      {
        ...nothing,
        ended,
        stored: { ...stored, online: 1, last_seen_at: 590, reason: "lease_expired", ended_at: 600 },
      },
      { state: "offline", since: 600, lastSeenAt: 590, reason: "lease_expired" },
    ],
    [
      "an end that this process saw is offline at once, before any event",
      { ...nothing, ended, stored: { ...stored, online: 1, online_since: 100 } },
      { state: "offline", since: 300, lastSeenAt: 290, reason: "lost" },
    ],
    [
      "online in the log of a process before this one is unknown since the start, and when it was last heard is not known",
      { ...nothing, stored: { ...stored, online: 1, online_since: 100, last_seen_at: 120 } },
      { state: "unknown", since: 500, lastSeenAt: undefined },
    ],
    [
      "an end that was written after the row was read is offline, not unknown",
      { ...nothing, ended, stored: { ...stored, online: 1, online_since: 100, last_seen_at: 250 } },
      { state: "offline", since: 300, lastSeenAt: 290, reason: "lost" },
    ],
    [
      "a row that went online after the written end is not of that connection",
      { ...nothing, ended, stored: { ...stored, online: 1, online_since: 100, last_seen_at: 550 } },
      { state: "unknown", since: 550 },
    ],
    [
      "a tunnel on another node counts for more than its end on this one",
      { ...nothing, ended, elsewhere: true, stored: { ...stored, online: 1, online_since: 100, last_seen_at: 320 } },
      { state: "online", since: 320 },
    ],
    [
      "offline in the log is offline since then",
      { ...nothing, stored: { ...stored, online_since: 400, last_seen_at: 390, reason: "lease_expired" } },
      { state: "offline", since: 400, lastSeenAt: 390, reason: "lease_expired" },
    ],
    [
      "what the newest connection reported of scenes holds while the hub is away",
      { ...nothing, stored: { ...stored, agent_version: "1.0.0", stores_scenes: 0 } },
      { state: "offline", agentVersion: "1.0.0", storesScenes: false },
    ],
    ["what no connection has reported is absent", nothing, { storesScenes: undefined }],
  ])("%s", (_sentence, signs, expected) => {
    expect(hubConnection(signs)).toMatchObject(expected);
  });

  it("becomes an event 10 s after a break, and at once when its lease ran out", () => {
    expect(offlineDue("lost", 1_000, 10_000)).toBe(11_000);
    expect(offlineDue("lease_expired", 1_000, 10_000)).toBe(1_000);
  });
});
