/** `porchlight-sim` as a process: what it prints, what it obeys, how it ends. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
const HOME = fileURLToPath(new URL("../examples/home.yaml", import.meta.url));
const LIGHT = "02-50-4C-51-00-01";

let folder: string;
const running: ChildProcessWithoutNullStreams[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-sim-"));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function simulator(...words: string[]) {
  const child = spawn(process.execPath, [MAIN, ...words]);
  running.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString();
  });
  const exited = once(child, "exit").then(([status]) => status as number);
  return { child, exited, line: async () => String((await lines.next()).value), stderr: () => stderr };
}

test("prints a line for each node when it is ready, and ends in order on request", async () => {
  const path = join(folder, "light");
  const { child, exited, line } = simulator("run", HOME, "--link", `light=${path}`);
  expect(await line()).toBe(`${LIGHT} ${path}`);
  expect(await line()).toMatch(/^02-50-4C-52-00-00 \/dev\/pts\/\d+$/);
  child.kill("SIGTERM");
  expect([await exited, existsSync(path)]).toEqual([0, false]);
});

test("obeys lines on stdin and answers each with JSON", async () => {
  const { child, exited, line } = simulator("run", HOME, "--control", "--json");
  expect(JSON.parse(await line())).toMatchObject({ node: LIGHT, name: "light", devices: [LIGHT] });
  await line();
  child.stdin.write(`set ${LIGHT} LightLevel.level 12\n\nget ${LIGHT} LightLevel.level\n`);
  expect(JSON.parse(await line())).toMatchObject({ ok: true, command: "set", value: 12 });
  expect(JSON.parse(await line())).toMatchObject({ ok: true, command: "get", value: 12 });
  child.kill("SIGINT");
  expect(await exited).toBe(0);
});

test("takes faults and a pace on its command line", async () => {
  const faults = ["--fault", "light:corrupt=0.5", `${LIGHT}:slow=40`, "delay=9", "--speed", "0", "--seed", "7"];
  const { child, line } = simulator("run", HOME, "--control", "--json", ...faults);
  await line();
  await line();
  child.stdin.write("state light\nstate bridge\nspeed 2\n");
  expect(JSON.parse(await line())).toMatchObject({ faults: { corrupt: 0.5, delay: 9 } });
  expect(JSON.parse(await line())).toMatchObject({ faults: { delay: 9 } });
  expect(JSON.parse(await line())).toMatchObject({ speed: 2 });
});

test("names every wrong key of a file and ends with status 2", async () => {
  const file = join(folder, "home.yaml");
  writeFileSync(file, `nodes: [{edgeId: ${LIGHT}, devcies: [], devices: [{edgeId: ${LIGHT}, kidn: button}]}]`);
  const { exited, stderr } = simulator("run", file);
  expect(await exited).toBe(2);
  expect(stderr()).toContain('did you mean "devices"?');
  expect(stderr()).toContain('did you mean "kind"?');
});

test.each([
  ["an unknown command", ["rnu", HOME]],
  ["no file", ["run"]],
  ["a file that is not there", ["run", "/nowhere.yaml"]],
  ["an unknown option", ["run", HOME, "--lnik", "x"]],
  ["a fault that is not known", ["run", HOME, "--fault", "light:corupt=0.1"]],
  ["a fault of an unknown device", ["run", HOME, "--fault", "nobody:corrupt=0.1"]],
  ["a seed that is no number", ["run", HOME, "--seed", "x"]],
  ["a link that does not say which node", ["run", HOME, "--link", "/tmp/x"]],
])("%s is wrong usage: status 2", async (_, words) => {
  expect(await simulator(...words).exited).toBe(2);
});
