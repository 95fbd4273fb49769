/** `porchlight-sim fuzz` at 115,200 baud finds a reboot, a crash, a hang and a leak within two minutes each: the first in every run, all in the long form. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";
import { rounds } from "../../test/parts/rounds.ts";
import { Programs } from "./build.ts";
import type { Edit } from "./mutants/mutant.ts";
import { PacedBoard } from "./paced-board.ts";

const MAIN = programFile("firmware-sim/src/main.ts");
/** Two minutes to find it, two to narrow it down, and the restarts. */
const HANG = 600_000;
const SECONDS = "120";

let folder: string;
let programs: Programs;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "porchlight-paced-"));
  programs = await Programs.make();
});
afterAll(async () => {
  await programs[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const TAKES = "static void take_message(pl_node *node, size_t length, uint32_t now) {\n";
const INCLUDES = "#include <stdlib.h>\n#include <unistd.h>\n";
/** An IDENTIFY whose seconds have four bytes: one of some thousand frames. */
const RARE = "node->rx[1] == 0x0F && length > 8 && node->rx[length - 5] == 0x1A";
const at = (what: string): Edit => [TAKES, `${INCLUDES}${TAKES}  ${what}\n`];

interface Sick {
  readonly kind: string;
  readonly edit: Edit;
  /** Whether a watchdog starts it again. */
  readonly startsAgain: boolean;
  readonly words: RegExp;
  /** The most frames that it is narrowed down to; undefined when it takes thousands. */
  readonly frames: number | undefined;
}

const SICK: readonly Sick[] = [
  { kind: "reboot", edit: at(`if (${RARE}) exit(3);`), startsAgain: true, words: /^It has rebooted/, frames: 1 },
  { kind: "crash", edit: at(`if (${RARE}) abort();`), startsAgain: false, words: /^It no longer answers/, frames: 1 },
  {
    kind: "hang",
    edit: at(`if (${RARE}) for (;;) sleep(1);`),
    startsAgain: true,
    words: /^It no longer answers/,
    frames: 1,
  },
  {
    kind: "leak",
    // 16 bytes of 32 KB that are never given back, at every message that has fields.
    edit: at("static unsigned lost;\n  if (length > 2 && node->rx[0] != 0x82 && (lost += 16) > 32768) abort();"),
    startsAgain: true,
    words: /^It has rebooted/,
    frames: undefined,
  },
];

it.each(SICK.slice(0, rounds(1, SICK.length)))(
  "a $kind is found in time",
  { timeout: HANG },
  async ({ kind, edit, startsAgain, words, frames }) => {
    const program = await programs.buildBroken(kind, [edit], [], ["examples/lamp.c", "porchlight.c"]);
    await using board = await PacedBoard.start(program, folder, startsAgain);
    const out = join(folder, `${kind}.ndjson`);
    const how = ["--seconds", SECONDS, "--minimise-seconds", frames === undefined ? "1" : SECONDS, "--seed", "1"];
    const command = ["fuzz", "--serial", `${board.path}@115200`, "--reset", board.reset, "--out", out, ...how];
    const child = spawn(process.execPath, [MAIN, ...command], { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
    const [stated, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect(status, stated + errors).toBe(1);
    expect(stated).toMatch(words);
    if (frames !== undefined) expect(stated).toMatch(/\.ndjson: 1 frame, \d+ bytes:/);
    expect((await readFile(out, "utf8")).split("\n")[0]).toContain("seed 1");
  },
);
