/** Planted lies that must be found, and truths that must not be taken for lies. */
import { describe, expect, it, test } from "vitest";
import { type Claims, claimsOf } from "./claims.ts";
import { contradictions, keyOf, PUBLISHED, type World } from "./contradictions.ts";
import type { Piece } from "./read-page.ts";

const T = Date.UTC(2026, 10, 25, 12, 0, 0);
const HUB = "cli_1";
const LAMP = "dev_1";
const seconds = (count: number) => count * 1000;
const iso = (at: number) => new Date(at).toISOString();

/** The API reported this in these seconds. */
const fact = (from: number, to: number, subject: string, what: string, says: string) => ({
  key: keyOf(subject, what),
  ...{ says, from: T + seconds(from), to: T + seconds(to) + 50 },
});

/** The hub is silent from second 100 on; the service from second 200 to 230. */
const WORLD: World = {
  facts: Map.groupBy(
    [
      fact(0, 115, HUB, "state", "online"),
      fact(116, 199, HUB, "state", "offline"),
      fact(0, 115, LAMP, "state", "online"),
      fact(116, 199, LAMP, "state", "unknown"),
      fact(116, 199, LAMP, "unknown since", String(T + seconds(100))),
      fact(116, 199, HUB, "last heard", String(T + seconds(100))),
      fact(0, 49, LAMP, "Switch:0.on", "on"),
      fact(50, 199, LAMP, "Switch:0.on", "off"),
      fact(0, 199, "whk_1", "sending", "badly"),
      fact(231, 300, HUB, "state", "online"),
      fact(231, 300, LAMP, "state", "online"),
    ],
    ({ key }) => key,
  ),
  absences: [
    { subject: HUB, from: T + seconds(100), to: T + seconds(230) },
    { subject: "service", from: T + seconds(200), to: T + seconds(230) },
  ],
  writes: [{ subject: LAMP, at: T + seconds(60), wasApplied: true }],
};

/** What the pieces say at that second on the page of that path. */
const read = (at: number, pieces: readonly Piece[], path = "/environments/env_1/devices"): Claims =>
  claimsOf("page", { at: T + seconds(at), path, pieces });
const about = (subject: string, text: string, more: Partial<Piece> = {}): Piece => ({ text, subject, ...more });
const banner = (since: number): Piece => ({
  text: "12:03:20",
  context: "Connection lost, last known values. Last response from the service at 12:03:20",
  datetime: iso(T + seconds(since)),
});
const because = (claims: Claims) => contradictions(claims, WORLD).map(({ because }) => because);

describe("a lie is found", () => {
  test.each<[string, Claims, RegExp]>([
    ["a hub that fell silent 21 s ago is online", read(121, [about(HUB, "online")]), /silent for 21/],
    ["a device stays online after the API reported otherwise", read(137, [about(LAMP, "online")]), /API said unknown/],
    ["a device is away that never was", read(30, [about(LAMP, "unknown")]), /API said online/],
    ["a device is still away after all is back", read(299, [about(LAMP, "unknown")]), /API said online/],
    ["more devices are online than the API has", read(190, [{ text: "1 of 1 devices online" }]), /0 of 1/],
    ["a hub is gone that the API has", read(60, [{ text: "0 of 2 hubs online" }]), /1 of 1/],
    [
      "silent since that was found out",
      read(130, [about(LAMP, "14 s ago", { label: "Unknown since", datetime: iso(T + seconds(116)) })]),
      /API said/,
    ],
    [
      "heard after it was heard last",
      read(190, [about(HUB, "now", { label: "Last heard", datetime: iso(T + seconds(188)) })]),
      /API said/,
    ],
    ["an age that stands still", read(60, [about(LAMP, "5 s ago", { datetime: iso(T) })]), /it is 60.0 s/],
    ["just now, for a minute", read(60, [about(LAMP, "Checked just now", { datetime: iso(T) })]), /it is 60.0 s/],
    ["a moment to come", read(60, [about(LAMP, "now", { datetime: iso(T + seconds(90)) })]), /it is -30/],
    ["a value that was changed 20 s ago", read(70, [about(LAMP, "on", { property: "Switch:0.on" })]), /API said off/],
    [
      "a switch that stands otherwise",
      read(70, [about(LAMP, "Porch light: Power", { isOn: true, isPending: false })]),
      /API said off/,
    ],
    [
      "not sent, and the device has done it",
      read(65, [about(LAMP, "not sent", { outcome: "not_sent" })]),
      /carried it out/,
    ],
    ["a webhook works whose deliveries fail", read(90, [about("whk_1", "healthy")]), /API said badly/],
    ["connection lost, and it was not", read(50, [banner(20)]), /there all the time/],
    ["connection lost, long after the return", read(275, [banner(200)]), /there all the time/],
    [
      "live, while the service stands still",
      read(216, [{ text: "Live. 3 events shown." }, banner(200)], "/ecosystems/eco_1/events"),
      /silent for 16/,
    ],
    ["online, while the service stands still", read(216, [about(HUB, "online"), banner(200)]), /silent for 16/],
    [
      "counted as online, while the service stands still",
      read(216, [{ text: "1 of 1 hubs online" }, banner(200)]),
      /silent for 16/,
    ],
    ["a lit lamp, while the service stands still", read(216, [{ text: "(hub online)" }, banner(200)]), /silent for 16/],
    ["nothing, while the service stands still", read(216, []), /silent for 16/],
  ])("%s", (_lie, claims, expected) => {
    const found = because(claims);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(expected);
  });
});

describe("what is so is no lie", () => {
  test.each<[string, Claims]>([
    ["a hub that fell silent 19 s ago is online", read(119, [about(HUB, "online")])],
    ["a state that the API reported within the bound", read(130, [about(LAMP, "online"), about(LAMP, "unknown")])],
    ["offline, while the service stands still", read(216, [about(HUB, "offline for 2 min"), banner(200)])],
    ["last known: online, while the service stands still", read(210, [about(HUB, "last known: offline"), banner(200)])],
    [
      "the last known, as soon as the service stands still",
      read(214, [about(HUB, "offline"), { text: "Live. 1 event shown." }]),
    ],
    ["what it was, soon after the return", read(260, [about(LAMP, "unknown"), banner(200)])],
    [
      "silent since it was last heard",
      read(130, [about(LAMP, "30 s ago", { label: "Unknown since", datetime: iso(T + seconds(100)) })]),
    ],
    ["an age that a busy page shows late", read(60, [about(LAMP, "56 s ago", { datetime: iso(T) })])],
    ["a time that is to come", read(60, [about(LAMP, "in 5 min", { datetime: iso(T + seconds(385)) })])],
    [
      "an attempt that is due",
      read(60, [about("whk_1", "now", { label: "Next attempt", datetime: iso(T + seconds(48)) })]),
    ],
    ["a value that is asked for", read(70, [about(LAMP, "Porch light: Power", { isOn: true, isPending: true })])],
    ["the new value, before the bound is over", read(55, [about(LAMP, "on", { property: "Switch:0.on" })])],
    ["unknown: it has happened", read(65, [about(LAMP, "unknown: may have happened", { outcome: "unknown" })])],
    ["online, in the log", read(150, [about(HUB, "online")], "/ecosystems/eco_1/events")],
    ["a device that the API was not asked for", read(60, [about("dev_2", "online")])],
  ])("%s", (_truth, claims) => {
    expect(because(claims)).toEqual([]);
  });
});

it("a page that was silent within the published bound has shown nothing wrong", () => {
  const at = T + seconds(200) + PUBLISHED.lost;
  expect(contradictions({ page: "page", at, claims: [] }, WORLD)).toEqual([]);
});
