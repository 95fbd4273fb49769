import { LONGEST_LOG_LINE, MOST_LOG_BYTES, MOST_LOG_LINES, maintenanceAnswer } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { recentLog } from "./maintenance.ts";
import { redactor } from "./redact.ts";

const NONE = redactor([]);
const line = (time: number, msg: string, more: object = {}) =>
  JSON.stringify({ level: 30, time, pid: 1, hostname: "h", msg, ...more });
const textsOf = (raws: readonly string[], from = 0, redact = NONE) =>
  recentLog(raws, from, "info", redact).lines.map(({ text }) => text);

test("the lines of that time are sent oldest first, with their fields and without pid and host", () => {
  const raws = [line(10, "old"), line(20, "one", { epoch: 3 }), line(30, "two", { level: 50, about: { a: 1 } })];
  expect(recentLog(raws, 20, "info", NONE)).toEqual({
    lines: [
      { at: 20, level: "info", text: "one  epoch=3" },
      { at: 30, level: "error", text: 'two  about={"a":1}' },
    ],
    isCut: false,
    oldestAt: 10,
  });
});

test("what is less grave is left out, and so is a line that a power failure cut short", () => {
  const raws = ['{"level":40,"ti', line(1, "quiet", { level: 20 }), line(2, "warned", { level: 40 })];
  expect(recentLog(raws, 0, "warn", NONE).lines).toEqual([{ at: 2, level: "warn", text: "warned" }]);
  expect(recentLog(raws, 0, "warn", NONE).oldestAt).toBe(1);
  expect(recentLog([], 0, "debug", NONE)).toEqual({ lines: [], isCut: false, oldestAt: undefined });
});

test("of too many lines the newest are kept, and the answer states that older ones are missing", () => {
  const raws = Array.from({ length: MOST_LOG_LINES + 5 }, (_, at) => line(at, `line ${at}`));
  const { lines, isCut } = recentLog(raws, 0, "info", NONE);
  expect([lines.length, isCut, lines.at(-1)?.text]).toEqual([MOST_LOG_LINES, true, `line ${MOST_LOG_LINES + 4}`]);
});

test("the answer fits one message of the tunnel for lines of any characters", () => {
  const raws = Array.from({ length: MOST_LOG_LINES }, (_, at) => line(at, '"\u0001é'.repeat(3000)));
  const { lines, isCut } = recentLog(raws, 0, "info", NONE);
  expect(isCut).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(lines))).toBeLessThanOrEqual(MOST_LOG_BYTES + 2);
  for (const { text } of lines) expect(text.length).toBe(LONGEST_LOG_LINE + 1);
  expect(maintenanceAnswer.safeParse({ log: { isKept: true, isCut, lines } }).success).toBe(true);
});

test("a secret is hidden before a long line is cut", () => {
  const secret = "correct horse battery";
  const [text = ""] = textsOf([line(1, `${"x".repeat(LONGEST_LOG_LINE - 10)}${secret}`)], 0, redactor([secret]));
  expect(text).not.toContain("correct");
});
