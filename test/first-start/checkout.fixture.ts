/**
 * A checkout as the first command finds it: nothing installed, and only the machine's Node.js. It has the project's own first part and
 * script, and small packages in place of the project's, of which one is the Node.js to hand over to.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type NodeVersion, nodeFolder, npmProgram, SUPPORTED } from "../parts/node-versions.ts";
import type { NpmPackage, NpmRegistry } from "../parts/npm-registry.ts";
import { type Ended, ROOT } from "../parts/program.ts";

/** Reports the project's version, and is the Node.js that runs the tests. */
const PROJECT_NODE = `#!/bin/sh\nPROJECT_NODE=yes exec "${process.execPath}" "$@"\n`;

/**
 * What is installed: the Node.js of the project, which a script puts in its place, and a library that what is started needs. The
 * library has a script that fails, as one that compiles does where there is no compiler: it must not be run.
 */
export const PACKAGES: readonly NpmPackage[] = [
  {
    name: "node",
    version: "24.0.0",
    bin: { node: "bin/node" },
    scripts: { preinstall: "mkdir -p bin && cp program bin/node && chmod +x bin/node" },
    files: { program: PROJECT_NODE },
  },
  {
    name: "lamp",
    version: "1.0.0",
    scripts: { install: "exit 1" },
    files: { "index.js": 'exports.light = "on";', "README.md": noise(400_000) },
  },
];
const ALLOWED = { allowScripts: { node: true, lamp: false } };

/** What stands in place of `scripts/start.mjs`. */
const STARTED = [
  'import lamp from "lamp";',
  "const { env, argv } = process;",
  'const isProjectNode = env.PROJECT_NODE === "yes";',
  "console.log(JSON.stringify({ isProjectNode, light: lamp.light, args: argv.slice(2) }));",
].join("\n");

export interface Ran extends Ended {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** A signal to it and all that it started, as a terminal sends Ctrl-C, or as all of them are killed. */
  signal(name: NodeJS.Signals): void;
}

export class Checkout implements Disposable {
  readonly folder: string;
  #registry: string;
  /** Caches and settings of npm: nothing comes from this machine's. */
  readonly #home = mkdtempSync(join(tmpdir(), "porchlight-machine-"));

  /** @param folder empty, or none for a temporary one */
  private constructor(registry: NpmRegistry, folder = mkdtempSync(join(tmpdir(), "porchlight-checkout-"))) {
    this.folder = folder;
    this.#registry = registry.url;
  }

  static async make(registry: NpmRegistry, folder?: string): Promise<Checkout> {
    const checkout = new Checkout(registry, folder);
    const { name, version, type, engines, scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const devDependencies = Object.fromEntries(PACKAGES.map((each) => [each.name, each.version]));
    const manifest = { name, version, type, engines, scripts: { start: scripts.start }, devDependencies, ...ALLOWED };
    writeFileSync(join(checkout.folder, "package.json"), JSON.stringify(manifest));
    for (const part of ["scripts/bootstrap.cjs", "scripts/bootstrap"])
      cpSync(join(ROOT, part), join(checkout.folder, part), { recursive: true });
    writeFileSync(join(checkout.folder, "scripts", "start.mjs"), STARTED);
    const [oldest = { node: "", npm: "" }] = SUPPORTED;
    const locked = await checkout.npm(oldest, "install", "--package-lock-only").ended;
    if (locked.code !== 0) throw new Error(`no lock file could be made:\n${locked.stderr}`);
    return checkout;
  }

  /** From now on its npm asks that registry. */
  ask(registry: NpmRegistry): void {
    this.#registry = registry.url;
  }

  /** `npm start` with those arguments. */
  start(version: NodeVersion, ...args: readonly string[]): Running {
    return this.npm(version, "start", "--", ...args);
  }

  npm(version: NodeVersion, ...words: readonly string[]): Running {
    const bin = join(this.#home, `bin-${version.node}`);
    if (!existsSync(bin)) {
      mkdirSync(bin);
      symlinkSync(join(nodeFolder(version), "node"), join(bin, "node"));
      writeFileSync(join(bin, "npm"), `#!/bin/sh\nexec node "${npmProgram(version)}" "$@"\n`);
      chmodSync(join(bin, "npm"), 0o755);
    }
    const env = {
      PATH: `${bin}:/usr/bin:/bin`,
      HOME: this.#home,
      npm_config_registry: this.#registry,
      // Its own patience is a minute.
      npm_config_fetch_retries: "0",
      npm_config_update_notifier: "false",
      npm_config_omit_lockfile_registry_resolved: "true",
    };
    // A group of its own, as a terminal gives each command.
    const child = spawn(join(bin, "npm"), words, {
      cwd: this.folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
      ([stdout, stderr, [code, signal]]): Ran => ({ code, signal, stdout, stderr }),
    );
    return { ended, signal: (name) => void process.kill(-(child.pid ?? 0), name) };
  }

  [Symbol.dispose](): void {
    for (const folder of [this.folder, this.#home]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Text that no archive makes smaller. */
function noise(length: number): string {
  return Array.from({ length: length / 8 }, (_, at) => ((at * 2_654_435_761) >>> 0).toString(36).padStart(8, "0")).join(
    "",
  );
}
