/** What reaches a terminal, a pipe and a program: forms, widths, colours, and characters that do harm. */
import { VirtualClock } from "@porchlight/shared/kernel";
import { printable, safeJson } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { relativeTime } from "./cell.ts";
import { Output } from "./output.ts";
import { styled, usesColour } from "./style.ts";
import { shortened, widthOf } from "./table.ts";

/** 2026-01-01 00:00:00Z. */
const NOW = 1_767_225_600_000;

interface Made {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly isJson?: boolean;
}

function made({ isTTY = true, columns = 80, env = {}, isJson = false }: Made = {}) {
  const written = { out: "", err: "" };
  const sink = (to: "out" | "err") => ({
    ...{ isTTY, columns },
    write(text: string) {
      written[to] += text;
    },
  });
  const options = { stdout: sink("out"), stderr: sink("err"), env: { NO_COLOR: "1", ...env }, isJson, colour: true };
  return { output: new Output({ ...options, clock: new VirtualClock(NOW) }), written };
}

const EVIL = "a\u001b]0;owned\u0007\u001b[2J\u009b31m\u007f\u202e\u2066\r\nb\u2028c\ud800";

test("no control character of the service reaches a terminal, in any output", () => {
  const { output, written } = made();
  output.line("x ", EVIL, styled("red", EVIL));
  output.note(EVIL);
  output.record({ [EVIL]: EVIL, meta: { [EVIL]: EVIL } });
  output.list([{ heading: "evil", path: "evil" }], [{ evil: EVIL }]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
  expect(written.out + written.err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\ud800]/);
  expect(written.out).toContain("a\\u001b]0;owned\\u0007");
});

test("in a pipe a tab of the service is no field of its own", () => {
  const { output, written } = made({ isTTY: false });
  output.list(
    ["a", "b"].map((path) => ({ heading: path, path })),
    [{ a: "1\t2\n", b: 3 }, { b: "x" }],
  );
  expect(written.out).toBe("1\\u00092\\u000a\t3\n\tx\n");
});

test("JSON has the same value, and no character that a terminal would obey", () => {
  const value = { [EVIL]: [EVIL, "\u0085\u061cü🏠"] };
  const text = safeJson(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is these that are looked for
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069\u2028]/);
  expect(printable("ü🏠 é")).toBe("ü🏠 é");
});

test("stderr contains no token, from any source", () => {
  const token = `plt_srv_${"A1".repeat(19)}`;
  const { output, written } = made();
  output.note(`sent ${token}`, styled("dim", token));
  output.jsonNote({ detail: token });
  expect(written.err).not.toContain("A1A1");
  expect(written.err).toContain("plt_srv_…");
});

const DEVICES = [
  { id: "dev_01h455vb4pex5vsknk084sn02q", alias: "lamp", state: "online", at: "2025-12-31 23:57:00Z" },
  { id: "dev_01h455vb4pex5vsknk084sn02r", alias: "Küchenlampe über dem Herd", state: "offline" },
  { id: "dev_01h455vb4pex5vsknk084sn02s", alias: "電気", state: "unknown", at: "2025-12-30 00:00:00Z" },
];
const COLUMNS = [
  { heading: "id", path: "id", isWhole: true },
  ...["alias", "state", "at"].map((path) => ({ heading: path, path })),
] as const;

test("a table is aligned, with ages and marks, and wide characters take two columns", () => {
  const { output, written } = made();
  output.list(COLUMNS, DEVICES);
  expect(written.out.split("\n")).toEqual([
    "id                              alias                      state      at",
    "dev_01h455vb4pex5vsknk084sn02q  lamp                       ● online   3 min ago",
    "dev_01h455vb4pex5vsknk084sn02r  Küchenlampe über dem Herd  ○ offline  -",
    "dev_01h455vb4pex5vsknk084sn02s  電気                       ◌ unknown  2 d ago",
    "",
  ]);
});

test.each([20, 40, 50, 60, 79])("a table keeps within %i columns as long as an ID fits", (columns) => {
  const { output, written } = made({ columns });
  output.list(COLUMNS, DEVICES);
  const widest = Math.max(...written.out.split("\n").map(widthOf));
  expect(widest).toBeLessThanOrEqual(Math.max(columns, 38));
  expect(written.out).toContain("dev_01h455vb4pex5vsknk084sn02q");
});

test("a column in which nothing stands is left out on a terminal, and keeps its place in a pipe", () => {
  const columns = ["id", "alias", "edgeId", "type"].map((path) => ({ heading: path, path }));
  const items = [{ id: "dev_1", type: "virtual" }];
  const [terminal, pipe] = [made(), made({ isTTY: false })];
  terminal.output.list(columns, items);
  pipe.output.list(columns, items);
  expect(terminal.written.out).toBe("id     alias  type\ndev_1  -      virtual\n");
  expect(pipe.written.out).toBe("dev_1\t\t\tvirtual\n");
});

test("where there is no Unicode the marks are ASCII", () => {
  const { output, written } = made({ env: { LC_ALL: "C" }, columns: 60 });
  output.list([{ heading: "state", path: "state" }], DEVICES);
  expect(written.out).toBe("state\n* online\no offline\n? unknown\n");
});

test("with --json a list is the API's own, whole", () => {
  const { output, written } = made({ isJson: true });
  output.list(COLUMNS, DEVICES);
  expect(JSON.parse(written.out)).toEqual({ items: DEVICES });
});

test.each([
  // isTTY, variables, --no-color not given, colour
  [true, {}, true, true],
  [false, {}, true, false],
  [true, { TERM: "dumb" }, true, false],
  [true, { NO_COLOR: "1" }, true, false],
  [true, { NO_COLOR: "", FORCE_COLOR: "" }, true, true],
  [false, { FORCE_COLOR: "1" }, true, true],
  [true, { FORCE_COLOR: "0" }, true, false],
  [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, true, false],
  [true, { FORCE_COLOR: "1" }, false, false],
])("on a terminal: %j, with %j, asked: %j: colour is %j", (isTTY, env, asked, expected) => {
  expect(usesColour({ isTTY, write: () => undefined }, env, asked)).toBe(expected);
});

test.each([
  ["2026-01-01 00:00:00Z", "now"],
  ["2025-12-31 23:59:58Z", "2 s ago"],
  ["2025-12-31 23:00:00Z", "1 h ago"],
  ["2026-01-31 00:00:00Z", "in 30 d"],
  ["lamp", undefined],
])("%s is %s", (text, expected) => {
  expect(relativeTime(text, NOW)).toBe(expected);
});

test.each([
  ["lamp", 10, "lamp"],
  ["Küchenlampe", 6, "Küche…"],
  ["電気電気", 5, "電気…"],
  ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 5, "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…"],
])("%s in %i columns is %s", (text, columns, expected) => {
  expect(shortened(text, columns, "…")).toBe(expected);
});
