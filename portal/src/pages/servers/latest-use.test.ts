/** When a server was last heard of. */
import { expect, it } from "vitest";
import { latestUse } from "./latest-use.ts";

it("a server was last used when any of its tokens was", () => {
  expect(latestUse([{ lastUsedAt: "2026-11-21 10:00:00Z" }, {}, { lastUsedAt: "2026-11-20 23:00:00Z" }])).toBe(
    "2026-11-21 10:00:00Z",
  );
  expect(latestUse([{}, {}])).toBeUndefined();
});
