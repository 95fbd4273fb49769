/** The commands around captures and scenarios, as processes: what they print and how they end. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const HOME = fileURLToPath(new URL("../../examples/home.yaml", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-sim-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function sim(words: readonly string[], input?: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...words], (failure, out, err) =>
      resolve({ code: Number(failure?.code ?? 0), out, err }),
    );
    child.stdin?.end(input ?? "");
  });
}

function scenario(...steps: string[]): string {
  const file = join(folder, "scenario.yaml");
  writeFileSync(file, `steps:\n${steps.map((step) => `  - ${step}\n`).join("")}`);
  return file;
}

test("a scenario that goes well is status 0, an hour of it takes no time, and its capture can be decoded", async () => {
  const capture = join(folder, "capture.ndjson");
  const file = scenario("set: light Switch.on false", "wait: 1h", "assert: light Switch.on false");
  const { code, out } = await sim(["play", HOME, file, "--fast", "--seed", "4", "--capture", capture]);
  expect([code, out.split("\n")[1]]).toEqual([0, " 3600.000  ok         wait 1h"]);
  const decoded = await sim(["decode", capture]);
  expect([decoded.code, decoded.err]).toEqual([0, expect.stringMatching(/^\d+ frames, 0 damaged\n$/)]);
});

test("a time-out is status 42, and says what was there instead", async () => {
  const late = await sim(["play", HOME, scenario("expect: light Switch.on false within 2s"), "--speed", "0", "--json"]);
  expect([late.code, JSON.parse(late.out)]).toEqual([
    42,
    {
      ...{ t: 2000, line: 2, step: "expect light Switch.on false within 2s" },
      ...{ outcome: "timed_out", why: "Switch:0.on is true" },
    },
  ]);
});

test("on real ports a scenario says where they are, and what waits for a hub times out without one", async () => {
  const file = scenario("unplug: light", "plug: light", "expect: light state live within 100ms");
  const { code, out } = await sim(["play", HOME, file, "--link", `light=${join(folder, "light")}`]);
  expect(code).toBe(42);
  expect(out).toContain(`02-50-4C-51-00-01 ${join(folder, "light")}\n`);
});

test("hex on stdin is decoded, and damage is status 1", async () =>
  expect(await sim(["decode", "-", "--json"], "c0820b0735bcc0 C0 82 0B 07 35 BB C0")).toMatchObject({
    ...{ code: 1, out: expect.stringMatching(/"damage":\{"rule":"F8".*\n.*"words":"PING 7"/) },
    err: "2 frames, 1 damaged\n",
  }));

test.each([
  ["a network board without a port for the hub", ["record", "--tcp", "127.0.0.1:1", "--out", "x"], "--listen"],
  ["a replay of no capture", ["replay", HOME, "--as", "hub"], "a capture begins with"],
  ["a scenario with a mistake", ["play", HOME, HOME], 'key "nodes" is not known'],
])("%s is wrong usage", async (_, words, sentence) => {
  const { code, err } = await sim(words);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});
