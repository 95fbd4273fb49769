/** The commands around captures and scenarios, as processes: what they print and how they end. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeFrame, encodeMessage, type Message } from "@porchlight/shared/wire";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { programFile } from "../../../test/parts/program-file.ts";
import { headerLine, passedLine } from "../lab/capture/capture.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
const HOME = fileURLToPath(new URL("../../examples/home.yaml", import.meta.url));
const EVENING = fileURLToPath(new URL("../../examples/evening.yaml", import.meta.url));

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

test("the example goes well: an hour of it takes no time, and its capture can be decoded", async () => {
  const capture = join(folder, "capture.ndjson");
  const { code, out, err } = await sim(["play", HOME, EVENING, "--fast", "--seed", "4", "--capture", capture]);
  expect([code, out, err]).toEqual([0, expect.stringContaining(" 3600.000  ok         wait 1h\n"), "seed 4\n"]);
  const decoded = await sim(["decode", capture]);
  expect([decoded.code, decoded.err]).toEqual([0, expect.stringMatching(/^\d+ frames, 0 damaged\n$/)]);
});

test("a time-out is status 42, and names what was there instead", async () => {
  const late = await sim(["play", HOME, scenario("expect: light Switch.on false within 2s"), "--speed", "0", "--json"]);
  expect([late.code, JSON.parse(late.out)]).toEqual([
    42,
    {
      ...{ t: 2000, line: 2, step: "expect light Switch.on false within 2s" },
      ...{ outcome: "timed_out", why: "Switch:0.on is true" },
    },
  ]);
});

test("on real ports a scenario states where they are, and what waits for a hub times out without one", async () => {
  const file = scenario("unplug: light", "plug: light", "expect: light state live within 100ms");
  const { code, out } = await sim(["play", HOME, file, "--link", `light=${join(folder, "light")}`]);
  expect(code).toBe(42);
  expect(out).toContain(`02-50-4C-51-00-01 ${join(folder, "light")}\n`);
});

test("what a hub on the port does is seen by the scenario, and by the replay that plays the hub", async () => {
  const port = join(folder, "light");
  const capture = join(folder, "hub.ndjson");
  const stated: readonly Message[] = [
    { type: "WHO", seq: 0 },
    { type: "HELLO_ACK", seq: 0, info: { v: 1, hub: "02-50-4C-00-00-01" } },
    { type: "WRITE", seq: 1, device: 0, service: "LightLevel", index: 0, property: "level", value: 15 },
  ];
  const pieces = stated.map((message, at) => ({
    t: at * 200,
    dir: "hub" as const,
    bytes: encodeFrame(encodeMessage(message)),
  }));
  writeFileSync(capture, headerLine("a hub by hand") + pieces.map(passedLine).join(""));
  const steps = ["light state live within 30s", "light LightLevel.level 15 within 30s"];
  const file = scenario(...steps.map((words) => `expect: ${words}`));
  const play = spawn(process.execPath, [MAIN, "play", HOME, file, "--link", `light=${port}`]);
  onTestFinished(() => void play.kill("SIGKILL"));
  const ended = once(play, "exit");
  await once(play.stdout, "data");
  const replay = await sim(["replay", capture, "--as", "hub", "--serial", port]);
  expect([replay.code, replay.err, await ended]).toEqual([0, "3 steps, 0 differences\n", [0, null]]);
});

test("hex on stdin is decoded, and damage is status 1", async () =>
  expect(await sim(["decode", "-", "--json"], "c0820b0735bcc0 C0 82 0B 07 35 BB C0")).toMatchObject({
    ...{ code: 1, out: expect.stringMatching(/"damage":\{"rule":"F8".*\n.*"words":"PING 7"/) },
    err: "2 frames, 1 damaged\n",
  }));

test("a reader that goes away ends it quietly", async () => {
  const file = join(folder, "hex");
  writeFileSync(file, "C0 82 0B 07 35 BB C0 ".repeat(20_000));
  const decode = spawn(process.execPath, [MAIN, "decode", file]);
  const stated: string[] = [];
  decode.stderr.on("data", (text) => stated.push(String(text)));
  decode.stdout.once("data", () => decode.stdout.destroy());
  expect(await once(decode, "close")).toEqual([1, null]);
  expect(stated.join("")).not.toContain("EPIPE");
});

test.each([
  ["a network board without a port for the hub", ["record", "--tcp", "127.0.0.1:1", "--out", "x"], "--listen"],
  ["a replay of no capture", ["replay", HOME, "--as", "hub"], "a capture begins with"],
  ["a scenario with a mistake", ["play", HOME, HOME], 'key "nodes" is not known'],
])("%s is wrong usage", async (_, words, sentence) => {
  const { code, err } = await sim(words);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});
