/** Hubs are sent on for a moment, and only where that leads somewhere. */
import { expect, it } from "vitest";
import { Redirects } from "./websocket-gateway.ts";

it("a hub is sent on for five seconds from when it came first, and then taken in", () => {
  const redirects = new Redirects();
  const answers = [0, 100, 4_999, 5_000, 5_100].map((now) => redirects.sends("hub", "young", now));
  expect(answers).toEqual([true, true, true, false, false]);
});

it("a hub that comes a minute later is sent on like one that comes first", () => {
  const redirects = new Redirects();
  redirects.sends("hub", "young", 0);
  expect(redirects.sends("hub", "young", 60_000)).toBe(true);
});

it("where most hubs find no way to the other node, no more are sent on, until there is another", () => {
  const redirects = new Redirects();
  for (const hub of ["a", "b", "c", "d"]) redirects.sends(hub, "young", 0);
  for (const hub of ["a", "b"]) redirects.sends(hub, "young", 5_000);
  expect(redirects.sends("e", "young", 5_001)).toBe(true);
  redirects.sends("c", "young", 5_002);
  expect(redirects.sends("f", "young", 5_003)).toBe(false);
  expect(redirects.sends("e", "young", 5_004)).toBe(false);
  expect(redirects.sends("f", "younger", 5_005)).toBe(true);
});

it("a few that find no way among many that do stop nothing", () => {
  const redirects = new Redirects();
  for (let hub = 0; hub < 100; hub++) redirects.sends(`${hub}`, "young", 0);
  for (let hub = 0; hub < 40; hub++) redirects.sends(`${hub}`, "young", 5_000);
  expect(redirects.sends("another", "young", 5_001)).toBe(true);
});

it("remembers so many and no more; a hub that comes beyond them is taken in", () => {
  const redirects = new Redirects();
  for (let hub = 0; hub < 20_000; hub++) expect(redirects.sends(`${hub}`, "young", hub / 1000)).toBe(true);
  expect(redirects.sends("one more", "young", 21)).toBe(false);
  expect(redirects.sends("one more", "young", 60_025)).toBe(true);
  expect(redirects.size).toBe(1);
});
