/** The client as others install it: packed into a tarball, and installed from it into an empty folder. */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TSC = join(ROOT, "node_modules", ".bin", "tsc");

export class InstalledSdk implements Disposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Packs and installs it; nothing is fetched from anywhere. */
  static install(): InstalledSdk {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-sdk-"));
    const parts = join(folder, "parts");
    const project = join(folder, "project");
    mkdirSync(project);
    run(process.execPath, [join(ROOT, "scripts", "package-sdk.mjs"), parts], ROOT);
    run("npm", ["pack", parts, "--loglevel=error", "--pack-destination", folder], folder);
    const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "somebodys", private: true }));
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", join(folder, tarball)], project);
    return new InstalledSdk(folder);
  }

  get project(): string {
    return join(this.folder, "project");
  }

  /** Runs a program of the project. Gives its output. @throws Error when it fails */
  run(file: string, source: string): string {
    writeFileSync(join(this.project, file), source);
    return run(process.execPath, [join(this.project, file)], this.project);
  }

  /** As {@link run}, while this process goes on: for a program that calls a service of it. */
  async start(file: string, source: string): Promise<string> {
    writeFileSync(join(this.project, file), source);
    return (await promisify(execFile)(process.execPath, [join(this.project, file)], { cwd: this.project })).stdout;
  }

  /** Begins a program of the project that goes on. */
  launch(file: string, source: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    writeFileSync(join(this.project, file), source);
    return spawn(process.execPath, [join(this.project, file), ...args], { cwd: this.project, env });
  }

  /** Checks the types of files of the project, strictly. @throws Error with the findings */
  checkTypes(
    files: Readonly<Record<string, string>>,
    lib: "browser" | "node" = "browser",
    resolution: "nodenext" | "bundler" = "nodenext",
  ): void {
    for (const [file, source] of Object.entries(files)) writeFileSync(join(this.project, file), source);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, target: "es2023", exactOptionalPropertyTypes: true },
      ...{ module: resolution === "bundler" ? "esnext" : resolution, moduleResolution: resolution },
      ...(lib === "browser"
        ? { lib: ["es2024", "dom", "dom.asynciterable"], types: [] }
        : { lib: ["es2024"], types: ["node"] }),
      typeRoots: [join(ROOT, "node_modules", "@types")],
      allowImportingTsExtensions: true,
    };
    writeFileSync(join(this.project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    run(process.execPath, [TSC, "-p", "."], this.project);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const output =
      error instanceof Error && "stdout" in error && "stderr" in error ? `${error.stdout}${error.stderr}` : "";
    throw new Error(`${command} ${args.join(" ")} failed: ${output}`, { cause: error });
  }
}
