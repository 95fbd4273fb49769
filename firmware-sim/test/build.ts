/** Builds C programs of `firmware/` with the machine's own compiler, warnings as errors, and every sanitizer that it has. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Edit, edited } from "./mutants/mutant.ts";

const FIRMWARE = fileURLToPath(new URL("../../firmware/", import.meta.url));
/** Programs that several test files run are built by the first of them, and again when a source, a flag or the compiler is another. */
const BUILT = fileURLToPath(new URL("../../node_modules/.cache/porchlight/firmware", import.meta.url));
const WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];
const SANITIZERS = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
const run = promisify(execFile);

/** A folder of programs that goes with it. */
export class Programs implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<Programs> {
    return new Programs(await mkdtemp(join(tmpdir(), "porchlight-firmware-")));
  }

  /**
   * @param sources below `firmware/`
   * @param defines such as `PL_FRAME_MAX=128`
   * @param more further flags of the compiler
   * @returns the path of the program
   * @throws the compiler's output, warnings too
   */
  async build(
    name: string,
    sources: readonly string[],
    defines: readonly string[] = [],
    more: readonly string[] = [],
  ): Promise<string> {
    const flags = ["-std=c99", ...WARNINGS, ...SANITIZERS, `-I${FIRMWARE}`, ...defines.map((define) => `-D${define}`)];
    const command = [...flags, ...more, ...sources.map((source) => join(FIRMWARE, source))];
    const kept = join(BUILT, await hashOf(command), name);
    if (existsSync(kept)) return kept;
    const program = join(this.#folder, name);
    await run("cc", [...command, "-o", program]);
    // Whole or not there: another test file may be looking for it.
    await mkdir(dirname(kept), { recursive: true });
    await cp(program, `${kept}-${process.pid}`);
    await rename(`${kept}-${process.pid}`, kept);
    return kept;
  }

  /**
   * Builds around a copy of porchlight.c in which texts stand for others: firmware with one mistake.
   * @param sources below `firmware/`; the harness when left out
   * @throws Error when a text is not there exactly once
   */
  async buildBroken(
    name: string,
    edits: readonly Edit[],
    defines: readonly string[],
    sources: readonly string[] = ["test/harness.c"],
  ): Promise<string> {
    const copy = join(this.#folder, `${name}-source`);
    await cp(FIRMWARE, copy, { recursive: true });
    const source = join(copy, "porchlight.c");
    await writeFile(source, edited(await readFile(source, "utf8"), edits, "porchlight.c"));
    const program = join(this.#folder, name);
    // A mutant may leave parts unused: no warnings.
    const flags = ["-std=c99", "-w", `-I${copy}`, ...defines.map((define) => `-D${define}`)];
    await run("cc", [...flags, "-o", program, ...sources.map((each) => join(copy, each))]);
    return program;
  }

  /** Builds the sketch for boards, with a stand-in for the framework that it is written for. */
  async buildSketch(name: string): Promise<string> {
    const [library, program] = [join(this.#folder, `${name}.o`), join(this.#folder, name)];
    const warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
    const rest = [...warnings, ...SANITIZERS, `-I${FIRMWARE}`];
    await run("cc", ["-std=c99", ...rest, "-c", "-o", library, join(FIRMWARE, "porchlight.c")]);
    const board = fileURLToPath(new URL("arduino/board.cpp", import.meta.url));
    await run("c++", ["-std=c++11", ...rest, "-o", program, board, library]);
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Of all that a program is made of. */
async function hashOf(command: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(command));
  hash.update((await run("cc", ["--version"])).stdout);
  const files = await readdir(FIRMWARE, { recursive: true, withFileTypes: true });
  const paths = files.filter((each) => /\.[ch]$/.test(each.name)).map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths.sort()) hash.update(`${path}\0`).update(await readFile(path));
  return hash.digest("hex").slice(0, 32);
}
