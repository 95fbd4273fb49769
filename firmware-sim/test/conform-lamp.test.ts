/** The C lamp as a process on a pseudo-terminal is proved by the command that a firmware engineer calls. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, it } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { rounds } from "../../test/parts/rounds.ts";
import { openPty } from "../src/simulator/links/pty-link.ts";
import { Programs } from "./build.ts";
import { Lamp } from "./lamp.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
/** The long one takes two and a half minutes of a real clock. */
const HANG = rounds(120_000, 900_000);

const LAMP = ["examples/lamp.c", "porchlight.c"];

const stack = new AsyncDisposableStack();
let folder: string;
let programs: Programs;
let program: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-conform-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  programs = stack.use(await Programs.make());
  program = await programs.build("lamp", LAMP);
});
afterAll(() => stack.disposeAsync());

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

async function conform(...words: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, "conform", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, out, errors };
}

interface JsonReport {
  readonly sum: Readonly<Record<string, number>>;
  readonly results: readonly {
    readonly rule: string;
    readonly verdict: string;
    readonly remark: string;
    readonly violations: readonly { readonly what: string }[];
  }[];
}

it.concurrent(
  "passes with no failure, and says how far it was judged",
  async ({ expect }) => {
    // Its keys come from a pipe with a name, so that a command can press them.
    const keys = join(folder, "keys");
    const shell = `mkfifo ${keys}; exec 3<> ${keys}; ${program} --quiet --conformance <&3 & head -c 1 > ${keys}; wait $!`;
    await using lamp = await Lamp.start("/bin/sh", ["-c", shell]);
    const [html, junit] = [join(folder, "report.html"), join(folder, "report.xml")];
    const files = ["--html", html, "--junit", junit];
    const stimuli = ["--stimulate", `echo t > ${keys}`, `echo p > ${keys}`];
    const how = rounds(0, 1) === 1 ? stimuli : ["--quick"];
    const { status, out, errors } = await conform("--serial", lamp.port, "--json", ...files, ...how);
    const report = JSON.parse(out) as JsonReport;
    const broken = report.results.flatMap(({ rule, violations }) => violations.map(({ what }) => `${rule}: ${what}`));
    expect({ status, broken, errors }).toEqual({ status: 0, broken: [], errors: "" });
    expect(report.results.find(({ rule }) => rule === "R2")?.remark).toBe("proved by Conformance.acted");
    expect(await readFile(html, "utf8")).toContain("No rule is broken");
    expect(await readFile(junit, "utf8")).toContain('failures="0"');
  },
  HANG,
);

it.concurrent(
  "that wants a frame in one read is caught: F5",
  async ({ expect }) => {
    const from = "  for (size_t count = 0; count < length; count++) {\n    if (bytes[count] != END) take_byte";
    const hasty = await programs.buildBroken("hasty", [[from, `  node->rx_length = 0;\n${from}`]], [], LAMP);
    await using lamp = await Lamp.start(hasty, ["--quiet"]);
    const { status, out } = await conform("--serial", lamp.port, "--only", "F5,F8", "--json");
    const { results } = JSON.parse(out) as JsonReport;
    const broken = results.filter(({ verdict }) => verdict === "fail").map(({ rule }) => rule);
    expect({ status, broken }).toEqual({ status: 1, broken: ["F5"] });
  },
  HANG,
);

it.concurrent(
  "is reported from a line on which no one is: status 42",
  async ({ expect }) => {
    const port = openPty();
    const { status, errors } = await conform("--serial", port.path, "--quick");
    port.close();
    expect({ status, errors }).toEqual({
      status: 42,
      errors: "Nothing was received within 12 s, although WHO was sent every second.\n",
    });
  },
  HANG,
);
