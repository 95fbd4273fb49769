/** Builds of the agent's driver with one mistake: copies of its source, one line changed, loaded beside the good one. */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { linkDriver } from "../../agent/src/drivers/porchlight/link-driver.ts";
import { ROOT } from "../parts/program.ts";

/** One mistake: in which file, from the root of the repository, which text becomes which. */
export interface Mistake {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Makes builds in a folder of its own, which is gone with it. */
export class DriverBuilds implements AsyncDisposable {
  readonly #folder: string;
  #count = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<DriverBuilds> {
    return new DriverBuilds(await mkdtemp(join(tmpdir(), "porchlight-driver-")));
  }

  /** @throws Error when the file does not have the text exactly once: the mistake is out of date */
  async broken({ file, from, to }: Mistake): Promise<typeof linkDriver> {
    this.#count += 1;
    const root = join(this.#folder, String(this.#count));
    for (const part of ["agent/src/drivers", "agent/src/links", "shared"])
      await cp(join(ROOT, part), join(root, part), { recursive: true });
    await mkdir(join(root, "node_modules/@porchlight"), { recursive: true });
    await symlink(join(root, "shared"), join(root, "node_modules/@porchlight/shared"));
    await symlink(join(ROOT, "node_modules/zod"), join(root, "node_modules/zod"));
    await writeFile(join(root, "package.json"), '{"type":"module"}');
    const path = join(root, file);
    const parts = (await readFile(path, "utf8")).split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
    await writeFile(path, parts.join(to));
    const built: { linkDriver: typeof linkDriver } = await import(
      /* @vite-ignore */ pathToFileURL(join(root, "agent/src/drivers/porchlight/link-driver.ts")).href
    );
    return built.linkDriver;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
