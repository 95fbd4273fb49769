/** Builds of the driver of our own protocol with one mistake: copies of its source, one line changed, loaded beside the good one. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { linkDriver } from "@porchlight/driver-porchlight";
import { ROOT } from "../../test/parts/program.ts";
import { type Edit, edited } from "./mutants/mutant.ts";

/** Makes builds in a folder of its own, which is gone with it. */
export class DriverBuilds implements AsyncDisposable {
  readonly #folder: string;
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<DriverBuilds> {
    const folder = await mkdtemp(join(tmpdir(), "porchlight-driver-"));
    // What a copy does not have of its own is found above it.
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    return new DriverBuilds(folder);
  }

  /**
   * @param file from the root of the repository
   * @throws Error when it does not have a text exactly once: the mistake is out of date
   */
  async broken(file: string, edits: readonly Edit[]): Promise<typeof linkDriver> {
    this.#count += 1;
    const root = join(this.#folder, String(this.#count));
    for (const part of ["drivers/porchlight", "driver-kit", "shared"])
      await cp(join(ROOT, part), join(root, part), { recursive: true });
    await mkdir(join(root, "node_modules/@porchlight"), { recursive: true });
    for (const part of ["driver-kit", "shared"])
      await symlink(join(root, part), join(root, "node_modules/@porchlight", part));
    await writeFile(join(root, "package.json"), '{"type":"module"}');
    const path = join(root, file);
    await writeFile(path, edited(await readFile(path, "utf8"), edits, file));
    const built: { linkDriver: typeof linkDriver } = await import(
      /* @vite-ignore */ pathToFileURL(join(root, "drivers/porchlight/src/link-driver.ts")).href
    );
    return built.linkDriver;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
