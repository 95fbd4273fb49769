/** Our programs as one file each, for tests that start them often: to find, read and link a thousand files takes a program longer than all else that it does until it is ready. */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type OutputFile, type Plugin } from "esbuild";
import { BUNDLED, PROGRAMS, ROOT } from "./program-file.ts";

const FOLDER = join(ROOT, "node_modules", ".cache", "programs");
/** Bundles of other sources that no run has used since are removed, ms. */
const KEPT_MS = 24 * 60 * 60_000;

/** Bundles the sources as they are now, and has `programFile` give them in this process and those that it starts. */
export async function bundlePrograms(): Promise<void> {
  const outputs = (await Promise.all(PROGRAMS.map(bundle))).flat();
  const hash = createHash("sha256");
  for (const { path, contents } of outputs) hash.update(path).update("\0").update(contents);
  const folder = join(FOLDER, hash.digest("hex").slice(0, 16));
  if (existsSync(folder)) utimesSync(folder, new Date(), new Date());
  else write(outputs, folder);
  removeOld();
  process.env[BUNDLED] = folder;
}

async function bundle(program: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: { [`${program}/src/main`]: join(ROOT, program, "src", "main.ts") },
    bundle: true,
    // The code behind an `import()` is loaded when it is reached, as from the sources.
    splitting: true,
    ...{ platform: "node", target: "node24", format: "esm", outExtension: { ".js": ".mjs" } },
    chunkNames: `${program}/src/[name]-[hash]`,
    // Code of this language has a `require` that a module has not.
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    // Native code is found where it is installed.
    external: [
      "@node-rs/argon2",
      "@serialport/bindings-cpp",
      "better-sqlite3",
      "bufferutil",
      "cbor-extract",
      "pg-native",
      "utf-8-validate",
    ],
    ...{ outdir: ROOT, write: false, absWorkingDir: ROOT, logLevel: "warning" },
    plugins: [besideItself],
  });
  return outputFiles;
}

/** What code reads beside itself it reads beside its source. */
const besideItself: Plugin = {
  name: "beside itself",
  setup({ onLoad }) {
    onLoad(
      { filter: /[/\\](agent|cloud|console|driver-kit|drivers[/\\]\w+|firmware-sim|shared)[/\\]src[/\\].*\.ts$/ },
      ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (!text.includes("import.meta.")) return undefined;
        const contents = text
          .replace(/import\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
          .replace(/import\.meta\.resolve\("/g, `("${pathToFileURL(join(ROOT, "node_modules")).href}/`);
        return { contents, loader: "ts" };
      },
    );
  },
};

/** Beside it, and put in its place when it is whole: another run may be making the same. */
function write(outputs: readonly OutputFile[], folder: string): void {
  const fresh = `${folder}.${process.pid}`;
  for (const { path, contents } of outputs) {
    const file = join(fresh, relative(ROOT, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
  // As beside the sources: an agent lets the process of a driver read both.
  symlinkSync(join(ROOT, "node_modules"), join(fresh, "node_modules"));
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeOld(): void {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
