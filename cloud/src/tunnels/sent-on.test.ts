/** Hubs are sent on for a moment, and only where that leads somewhere. */
import { expect, it } from "vitest";
import { SentOn } from "./sent-on.ts";

it("a hub is sent on for five seconds from when it came first, and then taken in", () => {
  const sentOn = new SentOn();
  const answers = [0, 100, 4_999, 5_000, 5_100].map((now) => sentOn.sends("hub", "young", now));
  expect(answers).toEqual([true, true, true, false, false]);
});

it("a hub that comes a minute later is sent on like one that comes first", () => {
  const sentOn = new SentOn();
  sentOn.sends("hub", "young", 0);
  expect(sentOn.sends("hub", "young", 60_000)).toBe(true);
});

it("where most hubs find no way to the other node, no more are sent on, until there is another", () => {
  const sentOn = new SentOn();
  for (const hub of ["a", "b", "c", "d"]) sentOn.sends(hub, "young", 0);
  for (const hub of ["a", "b"]) sentOn.sends(hub, "young", 5_000);
  expect(sentOn.sends("e", "young", 5_001)).toBe(true);
  sentOn.sends("c", "young", 5_002);
  expect(sentOn.sends("f", "young", 5_003)).toBe(false);
  expect(sentOn.sends("e", "young", 5_004)).toBe(false);
  expect(sentOn.sends("f", "younger", 5_005)).toBe(true);
});

it("a few that find no way among many that do stop nothing", () => {
  const sentOn = new SentOn();
  for (let hub = 0; hub < 100; hub++) sentOn.sends(`${hub}`, "young", 0);
  for (let hub = 0; hub < 40; hub++) sentOn.sends(`${hub}`, "young", 5_000);
  expect(sentOn.sends("another", "young", 5_001)).toBe(true);
});

it("remembers so many and no more; whoever comes beyond them is taken in", () => {
  const sentOn = new SentOn();
  for (let hub = 0; hub < 20_000; hub++) expect(sentOn.sends(`${hub}`, "young", hub / 1000)).toBe(true);
  expect(sentOn.sends("one more", "young", 21)).toBe(false);
  expect(sentOn.sends("one more", "young", 60_025)).toBe(true);
  expect(sentOn.size).toBe(1);
});
