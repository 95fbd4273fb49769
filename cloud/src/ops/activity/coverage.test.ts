/** When requests were counted, from the periods that nodes have stored. */
import { expect, test } from "vitest";
import { CountedTime, type CountingPeriod } from "./service-queries.ts";

const MINUTE = 60_000;
/** Minutes. */
const period = (since: number, until: number, isClosed = true): CountingPeriod => ({
  since: since * MINUTE,
  until: until * MINUTE,
  isClosed,
});

test.each([
  ["a minute in which a node counted is whole", [period(0, 10)], "whole"],
  ["of a minute without any node nothing is known", [period(0, 5), period(6, 10)], "none"],
  ["without any period nothing is known", [], "none"],
  ["a minute in which the service started is a part", [period(5.5, 10)], "part"],
  ["a minute in which it stopped is a part", [period(0, 5.5)], "part"],
  ["a minute in which it was restarted is a part", [period(0, 5.4), period(5.5, 10)], "part"],
  ["a restart between two minutes that left no gap loses nothing", [period(0, 5.5), period(5.5, 10)], "whole"],
  [
    "another node that counted all the while makes a restart whole",
    [period(0, 5.4), period(5.6, 9), period(1, 9)],
    "whole",
  ],
  ["what a node has not stored yet is missing", [period(0, 5.5, false)], "part"],
  ["a node that was killed may have lost what another cannot know", [period(0, 5.5, false), period(0, 10)], "part"],
  ["and loses no more than a minute", [period(0, 4, false), period(0, 10)], "whole"],
  ["a running node that has stored past the minute has all of it", [period(0, 6, false)], "whole"],
] as const)("%s", (_title, periods, coverage) => {
  expect(new CountedTime(periods).coverage(5 * MINUTE, 6 * MINUTE)).toBe(coverage);
});
