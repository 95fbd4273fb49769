/** The agent as a process on a pseudo-terminal is proved by the command that a hub's engineer calls. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, it } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { rounds } from "../../test/parts/rounds.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
/** The long one takes three minutes of a real clock. */
const HANG = rounds(120_000, 900_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-proved-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
  readonly subject: string;
  readonly sum: Readonly<Record<string, number>>;
  readonly results: readonly { readonly rule: string; readonly violations: readonly { readonly what: string }[] }[];
}

it.concurrent(
  "passes with no failure, and is stopped when it is proved",
  async ({ expect }) => {
    const data = join(folder, "hub");
    const log = join(folder, "hub.log");
    // Nobody is at that address: a hub serves its devices without a cloud.
    const command = [process.execPath, programFile("agent/src/main.ts"), "run", "--cloud", "http://127.0.0.1:9"];
    const hub = `exec ${command.join(" ")} --data ${data} --serial {port}`;
    const how = rounds(0, 1) === 1 ? [] : ["--quick", "--only", "F5,F8,C5,M6,M8,W2,W3,P9,V4"];
    const { status, out, errors } = await conform("--agent", "--exec", hub, "--exec-log", log, "--json", ...how);
    const report = JSON.parse(out) as JsonReport;
    const broken = report.results.flatMap(({ rule, violations }) => violations.map(({ what }) => `${rule}: ${what}`));
    expect({ status, broken }, errors).toEqual({ status: 0, broken: [] });
    expect(report.subject).toMatch(/^hub [0-9A-F-]+ on \/dev\/pts\/\d+$/);
    expect(errors).toBe("");
    expect(readFileSync(log, "utf8")).toContain("the agent stops");
  },
  HANG,
);

it.concurrent(
  "is reported from a command that starts no hub, without waiting for one",
  async ({ expect }) => {
    const { status, out, errors } = await conform("--agent", "--exec", "echo no hub at {port}", "--json");
    expect({ status, out }).toEqual({ status: 42, out: "" });
    expect(errors).toMatch(
      /^The hub's command has ended \(0\)\. Its last output:\n {2}no hub at \/dev\/pts\/\d+\nThe hub's command has ended \(0\), and nothing came\.\n$/,
    );
  },
  HANG,
);
