/** Every loop that works on batches meets a record that it cannot process: it sets that record aside, counts it, and does all others. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { PoisonCase } from "./poison.fixture.ts";
import { SWEEPS } from "./poison-sweeps.fixture.ts";
import { WORK } from "./poison-work.fixture.ts";
import { LOOPS, type Loop } from "./store/index.ts";

/** A loop without a case is an error of types. */
const CASES: Readonly<Record<Loop, PoisonCase>> = { ...WORK, ...SWEEPS };

describe("a poison record", () => {
  it.each(LOOPS)("in the loop %s stops only itself", async (loop) => {
    const counts = await CASES[loop]();
    expect(counts.get(loop)).toBeGreaterThan(0);
    expect([...counts.keys()]).toEqual([loop]);
  });
});

it("docs/reliability.md has each loop and its rule", () => {
  const page = readFileSync(fileURLToPath(new URL("../../docs/reliability.md", import.meta.url)), "utf8");
  const [, section = ""] = page.split("\n## Records that cannot be processed\n");
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| `(\w+)` \| .+ \| .+ \|$/gm)].map(([, loop]) => loop);
  expect(rows).toEqual([...LOOPS]);
});
