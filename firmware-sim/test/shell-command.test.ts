/** `porchlight-sim shell` as a process on a pseudo-terminal: what a script shows, and how it ends. */
import { spawn } from "node:child_process";
import { once } from "node:events";
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
beforeAll(() => {
  const pty = openPty();
  const node = stack.use(SimulatedNode.start({ clock: systemClock, random: seededRandom(1), definition: DEFINITION }));
  node.attach(pty.link);
  stack.defer(() => pty.close());
  port = pty.path;
});
afterAll(() => stack.disposeAsync());

async function shell(script: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, "shell", ...words], { env: { ...process.env, NO_COLOR: "1" } });
  child.stdin.end(script);
  const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, errors, status };
}

test("a script on stdin is carried out until its end", async () => {
  const { out, errors, status } = await shell(
    "write LightLevel.level 70\n\n# then\nexpect LightLevel.level 70\n",
    "--serial",
    port,
  );
  expect({ errors, status }).toEqual({ errors: "", status: 0 });
  expect(out).toMatch(/^02-50-4C-51-00-00 on \/dev\/pts\/\d+, Porchlight: boot /);
  expect(out.split("\n").slice(-3)).toEqual([
    expect.stringMatching(/^0 LightLevel:0\.level {2}70 {2}\(\d+\.\d ms\)$/),
    expect.stringMatching(/^0 LightLevel:0\.level {2}70 {2}\(\d+\.\d ms\)$/),
    "",
  ]);
});

test("a script ends at the first command that fails", async () => {
  const words = [
    "--serial",
    port,
    "--json",
    "read LightLevel.level",
    "write LightLevel.level 101",
    "write LightLevel.level 3",
  ];
  const { out, status } = await shell("", ...words);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(status).toBe(1);
  expect(lines).toEqual([
    {
      command: "read",
      device: 0,
      edgeId: "02-50-4C-51-00-01",
      property: "LightLevel:0.level",
      value: 70,
      ms: expect.any(Number),
      tries: 1,
    },
    expect.objectContaining({ command: "write", error: expect.stringContaining("ERROR 8, value rejected") }),
  ]);
});

test("a line without an answer, and a path that is no line, are errors", async () => {
  const empty = openPty();
  const silent = await shell("", "--serial", empty.path, "ping");
  empty.close();
  expect(silent).toEqual({
    out: "",
    errors: "No HELLO came within 12 s, although the hub sent WHO every second.\n",
    status: 42,
  });
  expect(await shell("", "--serial", "/nowhere/at-all", "ping")).toMatchObject({ status: 4 });
  expect(await shell("")).toMatchObject({ status: 2, errors: expect.stringContaining("Specify the board") });
});
