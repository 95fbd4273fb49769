/** `porchlight-sim fuzz` as a person calls it: against the C lamp on a pseudo-terminal, against one that crashes, and against the agent. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../test/parts/eventually.ts";
import { programFile } from "../../test/parts/program-file.ts";
import { rounds } from "../../test/parts/rounds.ts";
import { Programs } from "./build.ts";
import { Lamp } from "./lamp.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
const FRAMES = String(rounds(600, 300_000));
/** A hub is given time to take what it is told: 500 a second. */
const TO_HUB = String(rounds(300, 100_000));
const HANG = rounds(120_000, 1_800_000);

const stack = new AsyncDisposableStack();
let folder: string;
let programs: Programs;
let lamp: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-fuzz-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  programs = stack.use(await Programs.make());
  lamp = await programs.build("lamp", ["examples/lamp.c", "porchlight.c"]);
});
afterAll(() => stack.disposeAsync());

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

function sim(...words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
    ([out, errors, [status]]) => ({ status, out, errors }),
  );
  return { child, ended };
}

const fuzz = (...words: readonly string[]) => sim("fuzz", ...words).ended;

it("the C lamp answers to the end", { timeout: HANG }, async () => {
  await using board = await Lamp.start(lamp, ["--quiet"]);
  const { status, out, errors } = await fuzz("--serial", board.port, "--seed", "1", "--frames", FRAMES, "--json");
  expect({ status, errors: errors.split("\n")[0] }).toEqual({ status: 0, errors: "seed 1" });
  expect(JSON.parse(out)).toMatchObject({ result: "answers", sent: Number(FRAMES), closed: 0 });
});

it("the agent answers to the end, and is stopped then", { timeout: HANG }, async () => {
  const command = [process.execPath, programFile("agent/src/main.ts"), "run", "--cloud", "http://127.0.0.1:9"];
  const hub = `exec ${command.join(" ")} --data ${join(folder, "hub")} --serial {port}`;
  const log = join(folder, "hub.log");
  const how = ["--exec", hub, "--exec-log", log, "--seed", "1", "--frames", TO_HUB, "--json"];
  const { status, out, errors } = await fuzz("--agent", ...how);
  expect({ status, result: JSON.parse(out) }, errors).toMatchObject({ status: 0, result: { result: "answers" } });
  expect(errors).toBe("seed 1\n");
  expect(await readFile(log, "utf8")).toContain("the agent stops");
});

it("interrupted, it reports how far it came, and ends with 130", { timeout: HANG }, async () => {
  await using board = await Lamp.start(lamp, ["--quiet"]);
  const { child, ended } = sim("fuzz", "--serial", board.port, "--seed", "1", "--seconds", "600");
  child.stderr?.once("data", () => child.kill("SIGINT"));
  const { status, out } = await ended;
  expect(status).toBe(130);
  expect(out).toMatch(/^Interrupted\. It answered after \d+ frames\.\n$/);
});

/** A lamp that is started anew whenever it has ended, as a board with a watchdog is, under a name that stays. */
class Watched implements AsyncDisposable {
  readonly port = join(folder, "board");
  readonly #child: ChildProcess;

  private constructor(program: string) {
    const [out, link] = [join(folder, "lamp.out"), this.port];
    const start = `${program} --quiet </dev/null >${out} & until grep -q port ${out}; do sleep 0.02; done`;
    const script = `while :; do : >${out}; ${start}; ln -sfn $(sed -n 's/^port //p' ${out}) ${link}; wait $!; done`;
    this.#child = spawn("/bin/sh", ["-c", script], { stdio: "ignore", detached: true });
  }

  static async start(program: string): Promise<Watched> {
    const watched = new Watched(program);
    await eventually("the lamp is there", async () => (await readFile(join(folder, "lamp.out"), "utf8")) !== "");
    return watched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, "SIGKILL");
    await ended;
    await rm(this.port, { force: true });
  }
}

it("a lamp that crashes at one rare request is found, and the capture shows it again until it is mended", {
  timeout: HANG,
}, async () => {
  const take = "static void take_message(pl_node *node, size_t length, uint32_t now) {\n";
  const crash = `#include <stdlib.h>
    ${take} if (node->rx[1] == 0x0F && length > 8 && node->rx[length - 5] == 0x1A) abort();\n`;
  const broken = await programs.buildBroken("crashing", [[take, crash]], [], ["examples/lamp.c", "porchlight.c"]);
  const capture = join(folder, "found.ndjson");
  {
    await using board = await Watched.start(broken);
    const found = await fuzz("--serial", board.port, "--seed", "1", "--frames", "5000", "--out", capture);
    expect(found.status, found.errors).toBe(1);
    expect(found.out).toMatch(/^It has rebooted by itself after \d+ frames\./);
    expect(found.out).toMatch(/found\.ndjson: 1 frame, \d\d bytes: these are enough after a restart\./);
    expect(found.out).toContain(`porchlight-sim fuzz --repeat ${capture} --serial ${board.port}`);
    const again = await fuzz("--repeat", capture, "--serial", board.port, "--json");
    expect({ status: again.status, out: again.out }).toEqual({ status: 1, out: '{"result":"rebooted"}\n' });
  }
  const { out } = await sim("decode", capture).ended;
  expect(out).toMatch(/HELLO_ACK.*hub {2}.*\[C0 8. 0F.*HELLO/s);
  await using mended = await Lamp.start(lamp, ["--quiet"]);
  const repeated = await fuzz("--repeat", capture, "--serial", mended.port);
  expect(repeated).toMatchObject({ status: 0, out: "It answers\n" });
  const replayed = await sim("replay", capture, "--as", "hub", "--serial", mended.port, "--fast", "--patience", "3")
    .ended;
  expect(replayed.errors).toMatch(/\d+ steps/);
});

it("wrong usage is reported, and so is a line on which no one is", { timeout: HANG }, async () => {
  const none = join(folder, "none.ndjson");
  await writeFile(none, '{"capture":1,"of":"x"}\n');
  const usages = [
    [],
    ["--agent", "--serial", "x"],
    ["--serial", "x", "--frames", "some"],
    ["--repeat", none, "--serial", "x"],
  ];
  for (const words of usages) expect((await fuzz(...words)).status, words.join(" ")).toBe(2);
  const absent = await fuzz("--serial", join(folder, "no-port"));
  expect(absent).toMatchObject({ status: 4, errors: expect.stringContaining("there is no such port") });
  const gone = await fuzz("--agent", "--exec", "echo no modem; exit 3", "--frames", "5");
  expect(gone).toMatchObject({ status: 42, out: "No answer: The hub's command has ended (3).\n" });
  expect(gone.errors).toContain("The hub's command has ended (3). Its last output:\n  no modem\n");
  const unwritable = await fuzz("--agent", "--exec", "true", "--exec-log", join(folder, "no", "where"));
  expect(unwritable).toMatchObject({ status: 2, errors: expect.stringContaining("--exec-log: ") });
});
