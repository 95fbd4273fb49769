/** What is left of a long name. */
import { expect, it } from "vitest";
import { cut } from "./names.ts";

const FAMILY = "👩‍👩‍👧‍👦";

it("cuts a long text in its middle, as people count characters, and leaves a short one as it is", () => {
  for (const [text, most, shown] of [
    ["lamp", 4, "lamp"],
    ["kitchen lamp, left", 10, "kitche…eft"],
    [FAMILY.repeat(5), 5, FAMILY.repeat(5)],
    [`${FAMILY.repeat(5)}x`, 5, `${FAMILY.repeat(3)}…x`],
    [`a${"م".repeat(300)}z`, 4, "aم…z"],
    [`start${"x".repeat(100_000)}end`, 10, "startx…end"],
  ] as const)
    expect([text.slice(0, 20), cut(text, most)]).toEqual([text.slice(0, 20), shown]);
});
