import { describe, expect, test } from "vitest";
import { step, type TunnelInput, type TunnelState } from "./uplink.ts";

const connecting: TunnelState = { kind: "connecting", since: 1 };
const opening: TunnelState = { kind: "opening", since: 1 };
const online: TunnelState = { kind: "online", since: 1, epoch: 4 };
const lost: TunnelInput = {
  kind: "ended",
  ending: { kind: "unreachable", detail: "no route" },
  reason: "retry",
  waitMs: 500,
};

describe("where the hub stands with the cloud", () => {
  test.each([
    ["a socket opens", connecting, { kind: "socket" }, { kind: "opening", since: 100 }],
    ["the welcome brings it online", opening, { kind: "welcome", epoch: 4 }, { kind: "online", since: 100, epoch: 4 }],
    [
      "goaway: it still serves",
      online,
      { kind: "goaway", afterMs: 50 },
      { kind: "leaving", since: 1, epoch: 4, until: 150 },
    ],
    [
      "it waits after an end, and says why",
      online,
      lost,
      { kind: "waiting", since: 100, until: 600, reason: "retry", after: { kind: "unreachable", detail: "no route" } },
    ],
    ["it dials again", online, { kind: "dial" }, { kind: "connecting", since: 100 }],
    ["a welcome to a hub that is not opening changes nothing", connecting, { kind: "welcome", epoch: 4 }, connecting],
    ["a goaway before the welcome changes nothing", opening, { kind: "goaway", afterMs: 1 }, opening],
    ["what has stopped stays stopped", { kind: "stopped", since: 1 }, { kind: "dial" }, { kind: "stopped", since: 1 }],
  ] as const satisfies readonly (readonly [string, TunnelState, TunnelInput, TunnelState])[])(
    "%s",
    (_title, state, input, expected) => {
      expect(step(state, input, 100)).toEqual(expected);
    },
  );
});
