/** The numbering rule, case by case (T6). */
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import { expect, it } from "vitest";
import { decideValue } from "./value-decision.ts";

const stored = { value: "10", number: 5, modifiedAt: 100, observedAt: 200 };
const learned = (value: unknown, number: number, observedAt = 300) => ({ value: value as never, number, observedAt });

it.each([
  [
    "the first value is stored and published",
    undefined,
    learned(10, 1),
    false,
    { kind: "changed", previous: undefined, stored: { value: "10", number: 1, modifiedAt: 300, observedAt: 300 } },
  ],
  [
    "a newer, other value is stored and published with the one before",
    stored,
    learned(20, 6),
    false,
    { kind: "changed", previous: stored, stored: { value: "20", number: 6, modifiedAt: 300 } },
  ],
  [
    "a newer, equal value moves observedAt and the number",
    stored,
    learned(10, 6),
    false,
    { kind: "observed", stored: { value: "10", number: 6, modifiedAt: 100, observedAt: 300 } },
  ],
  [
    "an equal value keeps the newest time at which it was observed",
    stored,
    learned(10, 6, 50),
    false,
    { kind: "observed", stored: { observedAt: 200, number: 6 } },
  ],
  [
    "the stored number again, later observed, moves observedAt",
    stored,
    learned(10, 5),
    false,
    { kind: "observed", stored: { number: 5, observedAt: 300 } },
  ],
  [
    "a first value of unknown age is stored as that",
    undefined,
    learned(10, 1, UNKNOWN_TIME),
    false,
    { kind: "changed", stored: { value: "10", number: 1, modifiedAt: UNKNOWN_TIME, observedAt: UNKNOWN_TIME } },
  ],
  [
    "a value of unknown age moves nothing that was observed",
    stored,
    learned(20, 6, UNKNOWN_TIME),
    false,
    { kind: "nothing", stored },
  ],
  [
    "an equal value that is observed is the first of which the age is known",
    { ...stored, modifiedAt: UNKNOWN_TIME, observedAt: UNKNOWN_TIME },
    learned(10, 6),
    false,
    { kind: "observed", stored: { value: "10", number: 6, modifiedAt: 300, observedAt: 300 } },
  ],
  ["the very same again moves nothing", stored, learned(10, 5, 200), false, { kind: "nothing" }],
  ["a late, other value moves nothing", stored, learned(20, 4), false, { kind: "nothing", stored }],
  ["a late, equal value moves nothing", stored, learned(10, 4), false, { kind: "nothing", stored }],
  ["the same number with another value is not believed", stored, learned(20, 5), false, { kind: "nothing", stored }],
  [
    "a value without a number of this history gives way to the first that comes",
    { ...stored, number: 0 },
    learned(20, 1),
    false,
    { kind: "changed" },
  ],
  [
    "a happening is published though it is equal",
    stored,
    learned(10, 6),
    true,
    { kind: "changed", previous: undefined, stored: { number: 6 } },
  ],
  [
    "a late happening is reported and not stored",
    stored,
    learned(10, 4),
    true,
    { kind: "reported", stored: { number: 4 } },
  ],
  [
    "nothing has been observed in the future",
    undefined,
    learned(1, 1, 9_999),
    false,
    { kind: "changed", stored: { observedAt: 1_000, modifiedAt: 1_000 } },
  ],
  [
    "no value at present is a change like every other",
    stored,
    learned(null, 6),
    false,
    { kind: "changed", stored: { value: "null" } },
  ],
  [
    "objects are equal in any order of their keys",
    { ...stored, value: '{"a":1,"b":2}' },
    learned({ b: 2, a: 1 }, 6),
    false,
    { kind: "observed" },
  ],
] as const)("%s", (_sentence, before, value, notifyOnly, expected) => {
  expect(decideValue(before, value, notifyOnly, 1_000)).toMatchObject(expected);
});
