/** The protocol page that firmware authors read shows the bytes of the vectors and the codec's own numbers. */
import { readFileSync } from "node:fs";
import { BUSY_WAITS, ERROR_CODE, errorVerdict, MESSAGES, TIMES } from "@porchlight/shared/wire";
import { expect, test } from "vitest";
import { vectors } from "./vectors.ts";

const page = readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8");

test("every frame on the page is a vector", () => {
  const known = new Set([
    ...vectors("messages").map(({ frame }) => frame),
    ...vectors("streams").map(({ stream }) => stream),
  ]);
  const shown = [...page.matchAll(/`(C0(?: [0-9A-F]{2})+)`/g)].map(([, frame = ""]) => frame);
  expect(shown.length).toBeGreaterThanOrEqual(20);
  for (const frame of shown) expect(known.has(frame), frame).toBe(true);
});

test("every message stands on the page with its number and its sender", () => {
  for (const [name, { type, from }] of Object.entries(MESSAGES))
    expect(page, name).toContain(`| ${type} | ${name} | ${from} |`);
});

test("every error code stands on the page with its name and its outcome", () => {
  for (const code of Object.values(ERROR_CODE)) {
    const { says, outcome } = errorVerdict(code);
    expect(page, says).toMatch(new RegExp(`\\| ${code} \\| ${says} \\|.*${outcome}`));
  }
});

test("every time of the protocol stands in the page's table, as the code has it", () => {
  const table = page.slice(page.indexOf("## 9."), page.indexOf("## 10."));
  const documented = [...table.matchAll(/\| ([\d,]+) ms \|/g)].map(([, ms = ""]) => Number(ms.replace(",", "")));
  expect([...new Set(documented)].sort((a, b) => a - b)).toEqual(
    [...new Set(Object.values(TIMES))].sort((a, b) => a - b),
  );
  expect(table).toContain(`| ${BUSY_WAITS.join(", ")} ms |`);
});
