// A program's code in parts, each a text that the executable loads when it is first needed, with each native addon as a part too.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { build, transform } from "esbuild";
import { root } from "../tools.mjs";
import { packageOf, packagesOf, withZodInParts } from "./bundled-sources.mjs";
import { AGENT } from "./programs.mjs";

const OPTIONS = {
  platform: "node",
  target: "node24",
  // The text is in memory as long as the program runs. Names stay: a stack names functions as they are written. The licences go beside.
  minifyWhitespace: true,
  lineLimit: 200,
  legalComments: "none",
  logLevel: "warning",
};

/** What an executable can begin with, and what its loader runs (Node.js 24). An import at run time asks the loader as well. */
const COMMON_JS = { format: "cjs", supported: { "dynamic-import": false } };

/** The part that the program begins with. */
const FIRST = "main.js";

/**
 * Bundles the program into `folder`. Gives the path of the `code` that the executable begins with, which loads the `parts` (path of each by
 * its name), and the folders of the npm `packages` whose code is in it.
 */
export async function bundleProgram(architecture, folder, program = AGENT) {
  const parts = {};
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: { main: join(root, program.package, "src", "main.ts") },
    bundle: true,
    // Each `import()` is the border of a part: what only stands behind it is loaded when it is reached.
    splitting: true,
    format: "esm",
    outdir: folder,
    write: false,
    metafile: true,
    absWorkingDir: root,
    plugins: [nativeAddons(architecture, parts), ownCode],
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, { ...OPTIONS, ...COMMON_JS });
    parts[basename(path)] = write(join(folder, basename(path)), code);
  }
  const loader = readFileSync(join(root, "scripts", "agent", "load-parts.mjs"), "utf8").replace("FIRST_PART", FIRST);
  const { code } = await transform(loader, { ...OPTIONS, ...COMMON_JS });
  return {
    code: write(join(folder, `${program.package}.cjs`), code),
    parts,
    packages: packagesOf(Object.keys(metafile.inputs)),
  };
}

function write(path, code) {
  // One letter beyond Latin, and the whole text takes two bytes a letter.
  if (Buffer.from(code).some((byte) => byte > 0x7f)) throw new Error(`${path} has more than ASCII in it`);
  writeFileSync(path, code);
  return path;
}

/**
 * Our own code, as it must be inside an executable: a file that code reads beside itself is read beside the executable, at its path in
 * the repository.
 */
const ownCode = {
  name: "own code",
  setup({ onLoad }) {
    onLoad(
      { filter: /[/\\](agent|cloud|console|driver-kit|drivers[/\\]\w+|shared)[/\\]src[/\\].*\.ts$/ },
      ({ path }) => {
        const text = withZodInParts(readFileSync(path, "utf8"));
        if (!text.includes("import.meta.")) return { contents: text, loader: "ts" };
        const where = JSON.stringify(relative(root, path).replaceAll(sep, "/"));
        const contents = text
          .replace(/import\.meta\.url\b/g, `urlBeside(${where})`)
          .replace(/import\.meta\.resolve\("/g, `urlBeside("node_modules/`);
        const helper = JSON.stringify(join(root, "scripts", "agent", "url-beside.mjs"));
        return { contents: `${contents}\nimport { urlBeside } from ${helper};\n`, loader: "ts" };
      },
    );
  },
};

/** Every addon is loaded from the executable instead of from node_modules. */
function nativeAddons({ node }, parts) {
  return {
    name: "native addons",
    setup({ onResolve, onLoad, resolve }) {
      // The library's own entry for bundles: it names the one addon of its processor instead of looking for it.
      onResolve({ filter: /^better-sqlite3$/ }, ({ resolveDir, kind }) =>
        resolve(`better-sqlite3/linux-${node}`, { resolveDir, kind }),
      );
      // What looks for a prebuilt addon at run time is to find it now.
      onResolve({ filter: /^node-gyp-build$/ }, ({ importer }) => ({
        // From here on, for it stands in a comment of the code, which must be the same on each machine that builds it.
        path: relative(root, prebuiltAddon(packageOf(importer), node)),
        namespace: "prebuilt",
      }));
      onLoad({ filter: /.*/, namespace: "prebuilt" }, ({ path }) => ({
        contents: `module.exports = () => require(${JSON.stringify(join(root, path))});`,
        resolveDir: root,
      }));
      onLoad({ filter: /\.node$/ }, ({ path }) => {
        const name = `${packageOf(path)
          .replace(/.*node_modules./, "")
          .replaceAll(sep, "+")}.node`;
        parts[name] = path;
        const loader = join(root, "scripts", "agent", "native-part.mjs");
        return {
          contents: `module.exports = require(${JSON.stringify(loader)}).nativePart(${JSON.stringify(name)});`,
          resolveDir: root,
        };
      });
    },
  };
}

/** The addon of a package for Linux with glibc, where prebuildify puts it. */
function prebuiltAddon(folder, node) {
  const prebuilds = join(folder, "prebuilds", `linux-${node}`);
  const [name, ...more] = readdirSync(prebuilds).filter((each) => /\.node$/.test(each) && !/\.musl\./.test(each));
  if (name === undefined || more.length > 0) throw new Error(`${prebuilds} must have one addon for glibc`);
  return join(prebuilds, name);
}
