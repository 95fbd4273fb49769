/** When what was fetched of devices is old, by how their hubs are connected. */
import { expect, test } from "vitest";
import { haveMoved } from "./queries.ts";

const hub = (id: string, state: "online" | "offline" | "unknown", since = "2026-11-25 10:00:00Z") => ({
  id,
  connection: { state, since },
});
const [one, other] = [hub("cli_1", "online"), hub("cli_2", "offline")];

test.each([
  ["nothing", [one, other], [other, one], false],
  ["one went away", [one, other], [hub("cli_1", "offline"), other], true],
  ["one came back", [one, other], [one, hub("cli_2", "online")], true],
  ["one was away in between", [one], [hub("cli_1", "online", "2026-11-25 10:00:09Z")], true],
  ["one is new", [one], [one, other], true],
  ["one was removed", [one, other], [one], false],
  ["the first time", [], [], false],
])("%s", (_what, before, now, expected) => {
  expect(haveMoved(before, now)).toBe(expected);
});
