/** `npm run firmware:size` with the machine's own compiler: other figures than a board's, by the same reckoning. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../scripts/firmware-size.mjs");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-size-test-"));
  writeFileSync(join(folder, "small.h"), "typedef struct { char bytes[48]; } pl_node;\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

function size(...source: string[]) {
  const env = { ...process.env, CC: "cc", CFLAGS: "-O0" };
  const { stdout, stderr, status } = spawnSync(process.execPath, [SCRIPT, ...source], { env, encoding: "utf8" });
  return { stdout, stderr, status };
}

function small(text: string) {
  const file = join(folder, "small.c");
  writeFileSync(file, text);
  return size(file);
}

test("it reports code, memory, and the stack under each function that a program calls", () => {
  const { stdout, status } = size();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^code \d+ bytes$/m);
  expect(stdout).toMatch(/^memory of a node \d{4} bytes$/m);
  for (const name of ["pl_start", "pl_receive", "pl_transmit", "pl_tick", "pl_changed", "pl_event"])
    expect(stdout).toMatch(new RegExp(`^stack of ${name} \\d+ bytes$`, "m"));
});

test("a stack is the deepest path, with what calls itself counted as often as it can", () => {
  const frame = (bytes: number) => `volatile char room[${bytes}]; room[0] = 1;`;
  const text = (more: string) => `
    static int skip(int depth) { ${frame(100)} return depth == 0 ? room[0] : skip(depth - 1) + room[1]; }
    static int other(void) { ${frame(400)} ${more} return room[0]; }
    int pl_deep(int depth) { return skip(depth) + other(); }`;
  const bytes = Number(/stack of pl_deep (\d+)/.exec(small(text("")).stdout)?.[1]);
  expect(bytes).toBeGreaterThan(9 * 100);
  expect(bytes).toBeLessThan(9 * 250);
  expect(small(text(frame(4_000).replace("room", "large").replace("room", "large"))).stdout).toMatch(
    /stack of pl_deep 4\d{3} /,
  );
  expect(small(text("")).stdout).toContain("memory of a node 48 bytes");
});

test("what calls itself without a bound, and a compiler that is not there, are errors", () => {
  const { status, stderr } = small("int pl_endless(int n) { return n == 0 ? 0 : 1 + pl_endless(n - 1) * n; }");
  expect([status, stderr]).toEqual([1, "pl_endless calls itself, and nothing says how often\n"]);
  const env = { ...process.env, CC: "no-such-gcc" };
  const missing = spawnSync(process.execPath, [SCRIPT], { env, encoding: "utf8" });
  expect([missing.status, missing.stderr]).toEqual([1, "no-such-gcc: it is not installed\n"]);
});
