/** The API versions of a token in few words. */
import { expect, it } from "vitest";
import { versionsOf } from "./versions.ts";

const seen = (via: "path" | "header", lastSeenAt: string, version?: string) => ({
  via,
  ...(version !== undefined && { version }),
  firstSeenAt: "2026-11-01 00:00:00Z",
  lastSeenAt,
  count: 1,
});

it("a version is named once however it was asked for, the newest first", () => {
  const versions = [
    seen("path", "2026-11-20 10:00:00Z", "v0"),
    seen("header", "2026-11-21 10:00:00Z", "v1"),
    seen("header", "2026-11-19 10:00:00Z", "v0"),
    seen("path", "2026-11-21 11:00:00Z"),
  ];
  expect(versionsOf({ versions })).toEqual(["v1", "v0"]);
});

it('a token without a named version is "none named", and an unused one has no version', () => {
  expect(versionsOf({ versions: [seen("path", "2026-11-20 10:00:00Z")] })).toEqual(["none named"]);
  expect(versionsOf({})).toEqual([]);
});
