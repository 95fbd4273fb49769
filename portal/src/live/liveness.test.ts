/** When what is shown counts as no longer following the service. */
import { expect, test } from "vitest";
import { type LivenessSigns, LONGEST_QUIET, livenessAt, SHORT_BREAK } from "./liveness-watch.ts";

const NOW = 1_000_000;
const cases: [string, LivenessSigns, string][] = [
  ["nothing was heard yet", { begunAt: undefined, heardAt: undefined, brokenAt: undefined }, "connecting"],
  ["just heard", { begunAt: undefined, heardAt: NOW, brokenAt: undefined }, "live"],
  ["quiet for a comment or two", { begunAt: undefined, heardAt: NOW - LONGEST_QUIET + 1, brokenAt: undefined }, "live"],
  [
    "quiet for too long",
    { begunAt: undefined, heardAt: NOW - LONGEST_QUIET, brokenAt: undefined },
    `lost ${NOW - LONGEST_QUIET}`,
  ],
  ["broken just now", { begunAt: undefined, heardAt: NOW - 100, brokenAt: NOW - SHORT_BREAK + 1 }, "live"],
  ["broken for longer", { begunAt: undefined, heardAt: NOW - 5000, brokenAt: NOW - SHORT_BREAK }, `lost ${NOW - 5000}`],
  [
    "never connected at all",
    { begunAt: undefined, heardAt: undefined, brokenAt: NOW - SHORT_BREAK },
    `lost ${NOW - SHORT_BREAK}`,
  ],
  ["begun just now", { begunAt: NOW, heardAt: undefined, brokenAt: undefined }, "connecting"],
  [
    "begun long ago, and never heard",
    { begunAt: NOW - LONGEST_QUIET, heardAt: undefined, brokenAt: undefined },
    `lost ${NOW - LONGEST_QUIET}`,
  ],
  ["begun long ago, and just heard", { begunAt: NOW - 60_000, heardAt: NOW, brokenAt: undefined }, "live"],
  ["not connected yet", { begunAt: undefined, heardAt: undefined, brokenAt: NOW }, "connecting"],
];

test.each(cases)("%s", (_what, signs, expected) => {
  const { liveness } = livenessAt(signs, NOW);
  expect(liveness.kind === "lost" ? `lost ${liveness.since}` : liveness.kind).toBe(expected);
});

test("it is looked at again exactly when it would be lost", () => {
  const signs = { begunAt: undefined, heardAt: NOW, brokenAt: undefined };
  const { until = 0 } = livenessAt(signs, NOW);
  expect([livenessAt(signs, until - 1).liveness.kind, livenessAt(signs, until).liveness.kind]).toEqual([
    "live",
    "lost",
  ]);
});

test("a page that was hidden for an hour is lost as soon as it is visible", () => {
  expect(livenessAt({ begunAt: undefined, heardAt: NOW - 3_600_000, brokenAt: undefined }, NOW).liveness.kind).toBe(
    "lost",
  );
});
