/** Every command that the pages for hardware teams print is run as it stands, with a simulated board in the place of theirs. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../test/parts/program.ts";
import { casesOf } from "../../test/parts/rounds.ts";
import { openNetworkPort } from "../src/simulator/links/network-port.ts";
import { openPty } from "../src/simulator/links/pty-link.ts";
import { SimulatedNode } from "../src/simulator/node/simulated-node.ts";
import { DEFINITION } from "../src/simulator/node/test-node.fixture.ts";
import { Programs } from "./build.ts";

const PAGES = ["docs/firmware.md", "docs/firmware-lab.md"];
const KEY = { identity: DEFINITION.edgeId, key: new Uint8Array(32).fill(7) };

/** How a command is seen to work: by its status, or by output that it prints before it is interrupted. */
interface Run {
  /** Words that keep it short: the command itself stays as it is printed. */
  readonly more?: string;
  readonly status?: number;
  readonly until?: RegExp;
}

/** In the order of the pages: the output of one is the input of another. */
const RUNS: Readonly<Record<string, Run>> = {
  "porchlight-sim conform --serial /dev/ttyUSB0@115200 --html report.html": { more: "--only F1,F5", status: 0 },
  "porchlight-sim conform --tcp 192.168.1.40:7300 --psk HEX --id EDGEID": { more: "--only F1,F5", status: 0 },
  "porchlight-sim conform --agent --exec 'porchlight-agent run --cloud http://127.0.0.1:9 --data /tmp/proved --serial {port}'":
    { more: "--only F1,F5", status: 0 },
  "porchlight-sim conform --quick --exec 'exec qemu-system-arm -M mps2-an385 -display none -monitor none -kernel lamp.elf -serial {port} -serial pipe:hand' --stimulate 'printf t > hand.in' 'printf p > hand.in' --junit report.xml":
    { more: "--only F1,S7,P1", status: 0 },
  "porchlight-sim conform --boards boards.yaml --quick --junit report.xml": { more: "--only F1,F5", status: 0 },
  "porchlight-sim new > lamp.yaml": { status: 0 },
  "porchlight-sim run lamp.yaml": { until: /\/dev\/pts\/\d+/ },
  "porchlight-agent run … --serial PATH": { until: /"msg":"/ },
  "porchlight-sim run home.yaml --fault light:corrupt=0.02 --fault 02-50-4C-52-00-02:slow=300 --fault delay=60": {
    until: /\/dev\/pts\/\d+/,
  },
  "porchlight-sim decode board.ndjson": { status: 0 },
  'echo "C0 82 0B 07 35 BC C0" | porchlight-sim decode': { status: 1 },
  "porchlight-sim shell --serial /dev/ttyUSB0@115200": { until: /device 0/ },
  "porchlight-sim shell --tcp 192.168.1.40:7300 'write Switch.on true' 'expect Switch.on true'": { status: 0 },
  "porchlight-sim shell --serial /dev/ttyUSB0 --json < check.txt": { status: 0 },
  "porchlight-sim soak --serial /dev/ttyUSB0 --for 8h --limits limits.txt --junit soak.xml": {
    more: "--for 300ms 'write Switch.on true' read",
    status: 0,
  },
  "porchlight-sim soak --tcp 192.168.1.40:7300 --for 10min --pause 100ms --limit 'WRITE p99 under 80ms' read 'write Switch.on true' 'write Switch.on false'":
    { more: "--for 1s", status: 0 },
  "porchlight-sim record --serial /dev/ttyUSB0@115200 --out board.ndjson --show": { until: /\/dev\/pts\/\d+/ },
  "porchlight-sim record --tcp 192.168.1.40:7300 --listen 7300 --out board.ndjson": { until: /\d+/ },
  "porchlight-sim record --serial /dev/ttyUSB0@115200 --out board.pcapng": { until: /\/dev\/pts\/\d+/ },
  "porchlight-sim decode board.ndjson --out board.pcapng": { status: 0 },
  "porchlight-sim run home.yaml --capture home.ndjson": { until: /\/dev\/pts\/\d+/ },
  "porchlight-sim replay board.ndjson --as hub --serial /dev/ttyUSB0": { status: 0 },
  "porchlight-sim replay board.ndjson --as node": { until: /\/dev\/pts\/\d+/ },
  "porchlight-sim fuzz --serial /dev/ttyUSB0@115200 --reset ./reset-board.sh --seconds 600": {
    ...{ more: "--frames 60", status: 0 },
  },
  "porchlight-sim fuzz --tcp 192.168.1.40:7300 --frames 100000": { more: "--frames 60", status: 0 },
  "porchlight-sim fuzz --agent --exec 'porchlight-agent run --cloud http://127.0.0.1:9 --data /tmp/fuzzed --serial {port}'":
    { more: "--frames 60", status: 0 },
  "porchlight-sim fuzz --repeat fuzz-1.ndjson --serial /dev/ttyUSB0": { status: 0 },
  "porchlight-sim decode fuzz-1.ndjson": { status: 0 },
  "porchlight-sim play home.yaml evening.yaml --link light=/tmp/light": { until: /expect|1/ },
  "porchlight-sim play firmware-sim/examples/home.yaml firmware-sim/examples/evening.yaml --fast": { status: 0 },
};

/** Lines of the pages' blocks that call a program of ours, without their remarks. */
function documented(): string[] {
  const found = PAGES.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
      block.split("\n").filter((line) => /^\s*(echo .*\| )?porchlight-(sim|agent) /.test(line)),
    ),
  );
  return [...new Set(found.map((line) => line.replace(/\s+#.*$/, "").trim()))];
}

const WHO = "C08210009AD5C0";

/** What `record` and `fuzz` would have written of a board: a hub's WHO, and the HELLO to it. */
async function captureOf(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(Buffer.from(WHO, "hex"));
  const [hello] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  const lines = [
    { capture: 1, of: "a board", at: 0 },
    { t: 0, dir: "hub", bytes: WHO },
    { t: 5, dir: "node", bytes: hello.toString("hex") },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const stack = new AsyncDisposableStack();
let folder: string;
let capture: string;
let places: readonly (readonly [RegExp, string])[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-documented-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const board = (seed: number) =>
    stack.use(SimulatedNode.start({ clock: systemClock, random: seededRandom(seed), definition: DEFINITION }));
  const pty = openPty();
  const [serial, plain, secure] = [board(1), board(2), board(3)];
  serial.attach(pty.link);
  const at = { address: "127.0.0.1", port: 0 };
  const open = await openNetworkPort({ ...at, psk: undefined }, (link) => plain.attach(link));
  const closed = await openNetworkPort({ ...at, psk: KEY }, (link) => secure.attach(link));
  stack.defer(() => {
    for (const each of [pty, open, closed]) each.close();
  });
  for (const file of ["home.yaml", "evening.yaml"])
    copyFileSync(join(ROOT, "firmware-sim/examples", file), join(folder, file));
  capture = await captureOf(open.port);
  // The lamp for the desktop in the place of the emulator, which is not one of this project's packages: the command is the same.
  execFileSync("mkfifo", [join(folder, "hand.in"), join(folder, "hand.out")]);
  const programs = stack.use(await Programs.make());
  copyFileSync(await programs.build("lamp", ["examples/lamp.c", "porchlight.c"]), join(folder, "lamp"));
  writeFileSync(join(folder, "boards.yaml"), "boards: [{name: lamp, exec: './lamp --port {port}'}]\n");
  // Of the page, with times that a busy machine holds too.
  const limits =
    /^# limits\.txt\n([\s\S]*?)^```/m.exec(readFileSync(join(ROOT, "docs/firmware-lab.md"), "utf8"))?.[1] ?? "";
  writeFileSync(
    join(folder, "limits.txt"),
    limits.replaceAll(/\d+ms|0\.1%/g, (value) => (value.endsWith("%") ? "50%" : "1min")),
  );
  writeFileSync(join(folder, "check.txt"), "# the lamp\nread\nping\n");
  writeFileSync(join(folder, "reset-board.sh"), "#!/bin/sh\n", { mode: 0o755 });
  places = [
    [/exec qemu-system-arm .* -serial \{port\} -serial pipe:hand/g, "exec ./lamp --quiet --port {port} <> hand.in"],
    [/\/dev\/ttyUSB0/g, pty.path],
    [/192\.168\.1\.40:7300 --psk/g, `127.0.0.1:${closed.port} --psk`],
    [/192\.168\.1\.40:7300/g, `127.0.0.1:${open.port}`],
    [/under 80ms/g, "under 1min"],
    [/HEX/g, "07".repeat(32)],
    [/EDGEID/g, DEFINITION.edgeId],
    [/--listen 7300/g, "--listen 0"],
    [/\/tmp\//g, `${folder}/`],
    [/firmware-sim\/examples/g, join(ROOT, "firmware-sim/examples")],
    [/run … --serial PATH/g, `run --cloud http://127.0.0.1:9 --data ${folder}/agent --serial ${join(folder, "line")}`],
  ];
});
afterAll(() => stack.disposeAsync());

/** Runs a line in a shell whose path has the checkout's programs, as `npx` does it. */
async function ran(line: string, { more = "", until }: Run) {
  const command = places.reduce((text, [from, to]) => text.replace(from, to), `${line} ${more}`);
  const env = { ...process.env, PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}`, NO_COLOR: "1" };
  const child = spawn("/bin/sh", ["-c", command], {
    cwd: folder,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exit = once(child, "exit");
  let output = "";
  const isPrinted = new Promise<void>((resolve) => {
    const hear = (text: Buffer) => {
      output += text;
      if (until?.test(output)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
  });
  await Promise.race([exit, isPrinted]);
  if (until && child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGINT");
  const [status] = (await exit) as [number | null];
  return { command, output, status };
}

test("each documented command has one run, and each run has a command", () => {
  expect(documented().sort()).toEqual(Object.keys(RUNS).sort());
});

/** At length: conform, fuzz, soak, shell, record and play have tests of their own in every run. */
const TRIED = casesOf<readonly [string, Run]>(Object.entries(RUNS).slice(0, 1), Object.entries(RUNS).slice(1));

test.each(TRIED)("%s", async (line, run) => {
  for (const file of ["board.ndjson", "fuzz-1.ndjson"]) writeFileSync(join(folder, file), capture);
  const { command, output, status } = await ran(line, run);
  if (run.until) expect(output, command).toMatch(run.until);
  else expect(status, `${command}\n${output}`).toBe(run.status);
});
