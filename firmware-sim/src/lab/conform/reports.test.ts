/** What a person, a page and a build server read of one and the same proof. */
import { expect, test } from "vitest";
import { htmlReport, junitReport } from "./html-report.ts";
import type { RuleReport } from "./rule.ts";
import { closingLines, jsonReport, resultLine } from "./terminal-report.ts";

const REPORT: RuleReport = {
  subject: "<script>alert(1)</script> on /dev/ttyUSB0",
  startedAt: 1_767_312_000_000,
  ms: 12_345,
  results: [
    {
      id: "F4",
      sentence: "A sender begins and ends each frame with END.",
      looksAt: "the ENDs",
      verdict: { kind: "pass", note: "7 frames" },
      ms: 3,
    },
    {
      id: "F9",
      sentence: "Checking for bytes after the item is not optional.",
      looksAt: "zeros after a good frame",
      ms: 5,
      verdict: {
        kind: "fail",
        violations: [
          {
            rule: "F9",
            what: "PONG came.",
            frames: [{ at: 1500, from: "hub", bytes: Uint8Array.of(0xc0, 0x82, 0x0b, 0x07, 0x35, 0xbb, 0xc0) }],
          },
        ],
      },
    },
    {
      id: "S1",
      sentence: "A node sends HELLO at boot.",
      looksAt: "HELLO",
      verdict: { kind: "not_run", reason: "it takes 80 s" },
      ms: 0,
    },
    {
      id: "X1",
      sentence: "The hub describes.",
      looksAt: "",
      verdict: { kind: "not_applicable", reason: "This rule applies only to hubs." },
      ms: 0,
    },
  ],
};

test("the terminal has a line for each rule, and at the end what is broken with its sentence and bytes", () => {
  expect(REPORT.results.map((result) => resultLine(result, false))).toEqual([
    "F4   pass           the ENDs (7 frames)",
    "F9   FAIL           zeros after a good frame",
    "S1   not run        HELLO (it takes 80 s)",
    "X1   not applicable The hub describes. (This rule applies only to hubs)",
  ]);
  expect(closingLines(REPORT, false)).toEqual([
    "",
    "F9. Checking for bytes after the item is not optional.",
    "  PONG came.",
    "        1.500 s  hub  ->  PING 7            C0 82 0B 07 35 BB C0",
    "",
    "<script>alert(1)</script> on /dev/ttyUSB0: 1 passed, 1 failed, 1 not applicable, 1 not run: F9",
  ]);
});

test("the terminal reports which rules a quick run has left out", () => {
  const reason = "left out of a quick run: it takes 14 s";
  const [, , ...results] = REPORT.results.map((each) =>
    each.id === "S1" ? { ...each, verdict: { kind: "not_run", reason } as const } : each,
  );
  expect(closingLines({ ...REPORT, results }, false).slice(0, 2)).toEqual(["", "Left out by --quick: S1"]);
});

test("colours are for a terminal only", () => {
  expect(closingLines(REPORT, true).join("")).toContain("\u001b[31m");
  expect(closingLines(REPORT, false).join("")).not.toContain("\u001b");
});

test("JSON has the offending bytes in hex", () => {
  const report = JSON.parse(jsonReport(REPORT));
  expect(report.sum).toEqual({ pass: 1, fail: 1, not_applicable: 1, not_run: 1 });
  expect(report.results[1]).toMatchObject({
    rule: "F9",
    verdict: "fail",
    violations: [{ what: "PONG came.", frames: [{ ms: 1500, from: "hub", hex: "C0 82 0B 07 35 BB C0" }] }],
  });
});

test("what a device calls itself is text in a page and in XML, never markup", () => {
  for (const document of [htmlReport(REPORT, "2 January 2026"), junitReport([REPORT])]) {
    expect(document).toContain("&lt;script&gt;");
    expect(document).not.toContain("<script>");
    expect(document).toContain("C0 82 0B 07 35 BB C0");
  }
});

test("a build server counts failures and skipped rules", () => {
  expect(junitReport([REPORT])).toContain('tests="4" failures="1" errors="0" skipped="2" time="12.345"');
});
