/** Builds C programs of `firmware/` with the machine's own compiler, warnings as errors, and every sanitizer that it has. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FIRMWARE = fileURLToPath(new URL("../../firmware/", import.meta.url));
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
   * @returns the path of the program
   * @throws what the compiler says, warnings too
   */
  async build(name: string, sources: readonly string[], defines: readonly string[] = []): Promise<string> {
    const program = join(this.#folder, name);
    const flags = ["-std=c99", ...WARNINGS, ...SANITIZERS, `-I${FIRMWARE}`, ...defines.map((define) => `-D${define}`)];
    await run("cc", [...flags, "-o", program, ...sources.map((source) => join(FIRMWARE, source))]);
    return program;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
