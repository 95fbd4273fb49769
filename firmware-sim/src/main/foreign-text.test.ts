/** What the simulator prints of boards, hubs and files: none of it moves a terminal's cursor or forges a line. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { DeviceDescription } from "@porchlight/shared/model";
import { encodeFrame, encodeMessage, type HelloInfo, type Message } from "@porchlight/shared/wire";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programFile } from "../../../test/parts/program-file.ts";
import { decodeAll, frameLine } from "../lab/capture/decode.ts";
import type { RuleReport } from "../lab/conform/rule.ts";
import { closingLines, resultLine } from "../lab/conform/terminal-report.ts";
import { deviceLines, greetingLine } from "../lab/shell/wording.ts";
import { FIRST_SCREEN, type Scene } from "../view/keys.ts";
import { render } from "../view/render.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
const ID = "02-50-4C-51-00-01";
const HOSTILE = "a\u001b[2J\u009b1m\nFORGED\rFORGED\u2028FORGED\u202eb\u2066c\u200b\u200e\ufeff";
const FORBIDDEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;
const INFO: HelloInfo = {
  ...{ v: 1, id: ID, devices: [ID], boot: 1, max: 1024, win: 1 },
  ...{ mf: HOSTILE, mo: HOSTILE, fw: HOSTILE, sn: HOSTILE },
};
const HELLO: Message = { type: "HELLO", seq: 1, info: INFO };
const ERROR: Message = { type: "ERROR", seq: 2, code: 3, text: HOSTILE };
const services: DeviceDescription = [
  {
    service: "Mode",
    index: "0",
    properties: [{ property: "set", type: "string", values: [HOSTILE], unit: HOSTILE, access: ["read"] }],
  },
];

let folder = "";
const running: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-sim-text-"));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function expectPrintable(lines: readonly string[]): void {
  expect(lines.join()).toContain("\\u001b");
  expect(lines.flatMap((line) => line.match(FORBIDDEN) ?? [])).toEqual([]);
  expect(lines.filter((line) => line.trimStart().startsWith("FORGED"))).toEqual([]);
}

/** All that a command prints, line by line. */
async function printed(...words: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return `${out}${err}`.split("\n");
}

test.each([[HELLO], [ERROR]])("a frame on one line is one line (%#)", (message) => {
  const frames = decodeAll([{ t: 1500, dir: "node", node: HOSTILE, bytes: encodeFrame(encodeMessage(message)) }]);
  expectPrintable(frames.map(frameLine));
});

test("the shell's words about a board have only lines of their own", () => {
  expectPrintable([greetingLine(INFO, HOSTILE)]);
  expectPrintable(
    deviceLines({ place: 0, edgeId: ID, services, about: { name: HOSTILE }, problems: [HOSTILE], parts: [] }),
  );
});

test("a report about a board has only lines of its own", () => {
  const verdict = { kind: "fail", violations: [{ rule: "F9", what: HOSTILE, frames: [] }] } as const;
  const results = [
    { id: "F9", sentence: "Checked.", looksAt: "", ms: 1, verdict },
    { id: "F4", sentence: "Sent.", looksAt: "", ms: 1, verdict: { kind: "pass", note: HOSTILE } },
  ] as const;
  const report: RuleReport = { subject: HOSTILE, startedAt: 0, ms: 1, results };
  expectPrintable(results.map((result) => resultLine(result, false)));
  expectPrintable(closingLines(report, false));
});

test("the live view shows names, values, ports and faults without what moves a cursor", () => {
  const property = {
    key: HOSTILE,
    description: { property: "set", type: "string", access: ["read"] },
    value: HOSTILE,
  } as const;
  const device = {
    ...{
      edgeId: ID,
      name: HOSTILE,
      port: HOSTILE,
      state: "live",
      fault: HOSTILE,
      lineFaults: HOSTILE,
      isBlinking: false,
    },
    properties: [property],
  } as const;
  const scene = { devices: [device], frames: [HOSTILE], lived: 1, speed: 1, seed: 7 } as unknown as Scene;
  const screen = { ...FIRST_SCREEN, message: HOSTILE };
  expectPrintable(render(scene, screen, { columns: 400, rows: 24, colour: false }));
});

test.each([[[]], [["--json"]]])("decode prints a frame with hostile texts as one line (%j)", async (flags) => {
  const file = join(folder, "frames.hex");
  const bytes = [HELLO, ERROR].map((message) => Buffer.from(encodeFrame(encodeMessage(message))).toString("hex"));
  writeFileSync(file, `${bytes.join("\n")}\n`);
  const lines = await printed("decode", file, ...flags);
  expectPrintable(lines);
  expect(lines.filter((line) => line !== "")).toHaveLength(3);
  if (flags.length > 0) expect(JSON.parse(lines[0] ?? "")).toMatchObject({ message: { info: { mf: HOSTILE } } });
});

test("what is wrong with a file is printed without what moves a cursor", async () => {
  const file = join(folder, "home.yaml");
  writeFileSync(file, `nodes:\n  - name: ${JSON.stringify(HOSTILE)}\n    ${JSON.stringify("\u001b[2Jx")}: 1\n`);
  expectPrintable(await printed("run", file));
});
