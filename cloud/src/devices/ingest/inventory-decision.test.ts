/** Every way in which an announced device can stand to the cloud. */
import { expect, it } from "vitest";
import { decideDevice, type KnownDevice, NO_ARRIVAL } from "./inventory.ts";

const NOW = 1_000_000;
const ours: KnownDevice = {
  client_id: "cli_a",
  arrival: 3,
  digest: "d1",
  online: 1,
  gone_at: null,
  hub_online: 1,
  hub_since: 0,
};
const theirs: KnownDevice = { ...ours, client_id: "cli_b" };
const gone: KnownDevice = { ...ours, gone_at: 5 };
const same = { digest: "d1", arrival: 3 };

it.each([
  ["an unknown device is made", undefined, same, { kind: "make", replaces: false }],
  ["one that is as it was needs no description", ours, same, { kind: "ours", described: true, moved: false }],
  ["one with another digest must be described", ours, { ...same, digest: "d2" }, { kind: "ours", described: false }],
  ["a deleted one is left alone while its arrival is the same", gone, same, { kind: "deleted" }],
  ["a deleted one with a smaller arrival too", gone, { ...same, arrival: 1 }, { kind: "deleted" }],
  ["a deleted one that arrived again is made anew", gone, { ...same, arrival: 4 }, { kind: "make", replaces: true }],
  [
    "a deleted one of a new history is remembered by its new arrival",
    { ...gone, arrival: NO_ARRIVAL },
    same,
    { kind: "deleted", arrival: 3 },
  ],
  [
    "a deleted one that another hub announces is made anew",
    { ...gone, client_id: "cli_b" },
    same,
    { kind: "make", replaces: true },
  ],
  ["one that is live on another hub is that hub's", theirs, same, { kind: "claimed" }],
  [
    "one that the other hub reports offline is taken over",
    { ...theirs, online: 0 },
    same,
    { kind: "ours", moved: true },
  ],
  [
    "one whose hub is offline for 59 s is still that hub's",
    { ...theirs, hub_online: 0, hub_since: NOW - 59_000 },
    same,
    { kind: "claimed" },
  ],
  [
    "one whose hub is offline for 60 s is taken over",
    { ...theirs, hub_online: 0, hub_since: NOW - 60_000 },
    same,
    { kind: "ours", moved: true },
  ],
  [
    "one without a hub is taken over",
    { ...theirs, client_id: null, hub_online: null },
    same,
    { kind: "ours", moved: true },
  ],
] as const)("%s", (_sentence, known, announced, expected) => {
  expect(decideDevice(known, announced, "cli_a", NOW)).toMatchObject(expected);
});
