import { expect, test } from "vitest";
import { failureOf } from "./command-ends.ts";

test.for([
  [undefined, { detail: "no" }],
  [8, { detail: "no", code: 8 }],
  [-103, { detail: "no (code -103)" }],
  [0.5, { detail: "no (code 0.5)" }],
  [Number.POSITIVE_INFINITY, { detail: "no (code Infinity)" }],
] as const)("a device's code %s is sent in a form that the tunnel carries", ([code, carried]) => {
  const name = "Device Rejected" as const;
  const made = failureOf({ kind: "failed", name, outcome: "rejected", detail: "no", code });
  expect(made).toEqual({ name, ...carried });
});
