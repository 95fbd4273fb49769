import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { eventTypes } from "./catalogue.ts";
import { badPattern, wants } from "./patterns.ts";

const HEADING = "| type | when | `data` |";

it("the table of docs/api.md has each type, when it is appended and its data", () => {
  const rows = eventTypes().flatMap(({ data, types }) =>
    types.map(({ type, when }) => `| \`${type}\` | ${when} | ${data} |`),
  );
  const page = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
  const [, after = ""] = page.split(`${HEADING}\n`);
  const [table = ""] = after.split("\n\n");
  expect(table.split("\n").slice(1)).toEqual(rows);
});

it("each type can be subscribed to, by itself, by its prefix, and with all others", () => {
  for (const { prefix, types } of eventTypes())
    for (const { type } of types) expect(badPattern([type, `${prefix}.*`, "*"])).toBeUndefined();
});

it("a pattern takes its own type, all of its prefix, or everything", () => {
  expect(wants(["device.online"], "device.online")).toBe(true);
  expect(wants(["zone.*", "device.*"], "device.online")).toBe(true);
  expect(wants(["*"], "device.online")).toBe(true);
  expect(wants(["device.offline", "dev.*"], "device.online")).toBe(false);
  expect(wants([], "device.online")).toBe(false);
});
