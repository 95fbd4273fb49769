/** `porchlight-sim soak` as a process on a pseudo-terminal: its statuses, its files, and what remains when it is interrupted. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { seededRandom, systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { openPty } from "../src/simulator/links/pty-link.ts";
import { SimulatedNode } from "../src/simulator/node/simulated-node.ts";
import { DEFINITION } from "../src/simulator/node/test-node.fixture.ts";

const MAIN = programFile("firmware-sim/src/main.ts");

const stack = new AsyncDisposableStack();
let port: string;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-soak-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const pty = openPty();
  const node = stack.use(SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION }));
  node.attach(pty.link);
  stack.defer(() => pty.close());
  port = pty.path;
});
afterAll(() => stack.disposeAsync());

/** @param until what it prints before it is interrupted */
async function soak(words: readonly string[], until?: RegExp) {
  const child = spawn(process.execPath, [MAIN, "soak", "--serial", port, ...words]);
  let output = "";
  child.stdout.on("data", (bytes) => {
    output += bytes;
    // Once: the second would end it at once.
    if (until?.test(output) && !child.killed) child.kill("SIGINT");
  });
  const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, errors, status };
}

test("limits that hold are status 0, with an object for each interval and one for the whole", async () => {
  const limits = join(folder, "limits.txt");
  writeFileSync(limits, "# generous\nREAD p99 under 1min\nALL lost under 50%\n");
  const { out, status } = await soak([
    ...["--for", "1s", "--interval", "300ms", "--limits", limits, "--json", "read Switch.on", "write Switch.on true"],
  ]);
  expect(status).toBe(0);
  const lines = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines[0]).toMatchObject({
    at: 300,
    kinds: expect.arrayContaining([expect.objectContaining({ kind: "WRITE" })]),
  });
  const { commands, kinds, limits: judged } = lines.at(-1);
  expect(kinds.find(({ kind }: { kind: string }) => kind === "ALL").requests).toBe(commands);
  expect(judged.map(({ limit, holds }: { limit: string; holds: boolean }) => [limit, holds])).toEqual([
    ["READ p99 under 1min", true],
    ["ALL lost under 50%", true],
    ...["commands failed", "board reboots", "board broken"].map((figure) => [`${figure} under 1`, true]),
  ]);
});

test("a limit that does not hold is status 1, and a failure of the build", async () => {
  const file = join(folder, "soak.xml");
  const words = ["--for", "200ms", "--limit", "WRITE errors under 1", "--junit", file, "write LightLevel.level 101"];
  const { out, errors, status } = await soak(words);
  expect(status).toBe(1);
  expect(errors).toContain("ERROR 8, value rejected");
  expect(out).toMatch(/^FAIL {2}WRITE errors under 1: (\d+) of \1 \(100\.000 %\)$/m);
  expect(readFileSync(file, "utf8")).toMatch(/failures="2" errors="0"/);
});

test("an interrupted run prints what was measured, and ends with status 130", async () => {
  const { out, status } = await soak(["--for", "8h", "--interval", "200ms"], /READ/);
  expect(status).toBe(130);
  expect(out).toContain("It ended too early: it was interrupted.");
  expect(out).toMatch(/^ok {4}commands failed under 1: 0 of /m);
});

test.each([
  [["--limit", "READ p99 under 5"], '"5" is no time: say 300ms, 5s, 2min or 1h'],
  [["--for", "long"], '--for: "long" is no time: say 300ms, 5s, 2min or 1h'],
  [["raed"], 'command "raed" is not known: did you mean "read"?'],
])("%j is wrong usage", async (words, sentence) => {
  expect(await soak(words)).toEqual({ out: "", errors: `${sentence}\n`, status: 2 });
});
