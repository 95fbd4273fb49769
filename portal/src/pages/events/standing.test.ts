import type { PorchlightEvent } from "@porchlight/sdk";
import { expect, it } from "vitest";
import type { Liveness } from "../../live/liveness-watch.ts";
import { standingOf } from "./events.tsx";
import { EMPTY_VIEW, type LogView } from "./log-view.ts";

const loaded: LogView = { ...EMPTY_VIEW, runs: [{ first: 1, last: 5, events: [] as PorchlightEvent[] }], newest: 5 };
const LIVE: Liveness = { kind: "live" };

it("is live only when what happens is shown, to the newest event, over a connection that stands", () => {
  expect(standingOf(loaded, LIVE, false)).toBe("Live.");
  const others = [
    standingOf(EMPTY_VIEW, LIVE, false),
    standingOf(EMPTY_VIEW, LIVE, true),
    standingOf({ ...loaded, newest: 6 }, LIVE, false),
    standingOf({ ...loaded, newest: 6 }, LIVE, true),
    standingOf({ ...loaded, isFollowing: false }, LIVE, false),
    standingOf({ ...loaded, isFollowing: false, newest: 9, waiting: [9] }, LIVE, false),
    standingOf(loaded, { kind: "lost", since: 0 }, false),
    standingOf(loaded, { kind: "connecting" }, false),
  ];
  expect(others.filter((text) => text.startsWith("Live"))).toEqual([]);
  expect(others[5]).toBe("Paused: 1 event arrived meanwhile. Showing events up to number 5. The newest is 9.");
});
