import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isMachineClockSet } from "./machine.ts";

const NOW = 1_780_000_000_000;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "porchlight-clock-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function file(path: string, text = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test("a machine without a real-time clock whose clock was not set does not know the time", () => {
  expect(isMachineClockSet(NOW, root, "linux")).toBe(false);
});

test("one whose clock was set from the network knows it", () => {
  file("run/systemd/timesync/synchronized");
  expect(isMachineClockSet(NOW, root, "linux")).toBe(true);
});

test.for([
  ["1780000030\n", true, "it agrees"],
  ["1779999400\n", false, "it is ten minutes behind"],
  ["12\n", false, "it lost its battery"],
  ["nothing", false, "it says no time"],
] as const)("one with a real-time clock at %j: %s, because %s", ([says, isSet]) => {
  file("sys/class/rtc/rtc0/since_epoch", says);
  mkdirSync(join(root, "sys/class/rtc/rtc1"));
  expect(isMachineClockSet(NOW, root, "linux")).toBe(isSet);
});

test("of another system nothing is known", () => {
  expect(isMachineClockSet(NOW, root, "darwin")).toBeUndefined();
});
