/** The list of the tables that grow in `docs/operations/data.md` against the tables that there are. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TABLES } from "../store/table-names.fixture.ts";

const document = readFileSync(new URL("../../../docs/operations/data.md", import.meta.url), "utf8");
const [, list = ""] = /<!-- tables -->\n([\s\S]*?)<!-- end: tables -->/.exec(document) ?? [];
const rows = list.split("\n").filter((line) => line.startsWith("| `"));

it("docs/operations/data.md names every table once, with its bound and how long rows are kept", () => {
  const named = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual([...TABLES].sort());
  for (const row of rows)
    expect(row.split("|").map((cell) => cell.trim() !== "")).toEqual([false, true, true, true, false]);
});
