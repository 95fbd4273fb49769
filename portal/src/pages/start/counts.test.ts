/** How things are, counted. */
import type { LoggedRequest, WebhookDelivery } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { countStates, errorsSince, healthOf, isCutOff, timeText, versionCounts } from "./counts.ts";

describe("the overview", () => {
  it("counts what is online, and a virtual device, which has no connection, with it", () => {
    const things = ["online", "offline", "unknown", "unknown"].map((state) => ({
      connection: { state: state as "online" | "offline" | "unknown" },
    }));
    expect(countStates([...things, {}])).toEqual({ online: 2, offline: 1, unknown: 2 });
  });

  it("calls a webhook failing while its newest delivery fails or is tried again", () => {
    const health = (state: WebhookDelivery["state"], attempt: number, disabled = false) =>
      healthOf({
        disabled,
        lastDelivery: { id: "dlv_1", eventId: "evt_1", type: "x", attempt, state, createdAt: "2026-11-21 10:00:00Z" },
      });
    expect(health("succeeded", 3)).toBe("well");
    expect(health("failed", 10)).toBe("failing");
    expect(health("pending", 2)).toBe("failing");
    expect(health("pending", 0)).toBe("well");
    expect(health("failed", 10, true)).toBe("disabled");
    expect(healthOf({ disabled: false })).toBe("new");
  });
});

describe("errors of the last hour", () => {
  const request = (id: string, at: string, status: number, problem?: string): LoggedRequest => ({
    ...{ id, at, status, method: "GET", route: "/api/x", path: "/api/x", durationMs: 1 },
    ...(problem !== undefined && { problem }),
  });
  const SINCE = "2026-11-21 09:00:00Z";
  const LOG = [
    request("e", "2026-11-21 09:50:00Z", 503, "Hub Offline"),
    request("d", "2026-11-21 09:40:00Z", 200),
    request("c", "2026-11-21 09:30:00Z", 404, "Device Not Found"),
    request("b", "2026-11-21 09:00:00Z", 503, "Hub Offline"),
    request("a", "2026-11-21 08:59:59Z", 503, "Hub Offline"),
  ];

  it("are counted by name, the most frequent first, each with its newest request", () => {
    expect(errorsSince(LOG, SINCE)).toEqual([
      { name: "Hub Offline", status: 503, count: 2, requestId: "e" },
      { name: "Device Not Found", status: 404, count: 1, requestId: "c" },
    ]);
  });

  it("say when there may have been more than were fetched", () => {
    expect(isCutOff(LOG.slice(0, 4), 4, SINCE)).toBe(true);
    expect(isCutOff(LOG, 5, SINCE)).toBe(false);
    expect(isCutOff(LOG.slice(0, 4), 5, SINCE)).toBe(false);
    expect(isCutOff([], 0, SINCE)).toBe(false);
  });

  it("are of times as the service writes them", () => {
    expect(timeText(Date.UTC(2026, 10, 21, 9, 0, 0, 999))).toBe(SINCE);
  });
});

it("versions are counted by tokens, and a token that was never used has none", () => {
  const seen = (version?: string) => ({
    ...{ via: "path" as const, firstSeenAt: "2026-11-01 00:00:00Z", lastSeenAt: "2026-11-21 10:00:00Z", count: 1 },
    ...(version !== undefined && { version }),
  });
  const token = (...versions: ReturnType<typeof seen>[]) => ({
    ...{ id: "tok_1", type: "user" as const, createdAt: "2026-11-01 00:00:00Z" },
    versions,
  });
  expect(versionCounts([token(seen("v0")), token(seen()), token(seen("v0"), seen()), token()])).toEqual([
    ["v0", 2],
    ["none named", 1],
  ]);
});
