// A program's code as one CommonJS file, with each native addon that it loads turned into a part of the executable.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build } from "esbuild";
import { root } from "../tools.mjs";
import { AGENT } from "./programs.mjs";

/**
 * Bundles the program into `folder`. Gives the `code`'s path, the `nativeParts` (path of each by its name), and the folders of the
 * npm `packages` whose code is in it.
 */
export async function bundleProgram(architecture, folder, program = AGENT) {
  const nativeParts = {};
  const code = join(folder, `${program.package}.cjs`);
  const { metafile } = await build({
    entryPoints: [join(root, program.package, "src", "main.ts")],
    outfile: code,
    bundle: true,
    // What an executable can begin with (Node.js 24).
    format: "cjs",
    platform: "node",
    target: "node24",
    // The text is in memory as long as the program runs. Names stay: a stack names functions as they are written. The licences go beside.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: "none",
    metafile: true,
    absWorkingDir: root,
    logLevel: "warning",
    plugins: [nativeAddons(architecture, nativeParts), partsOfZod],
  });
  // One letter beyond Latin, and the whole text takes two bytes a letter.
  if (readFileSync(code).some((byte) => byte > 0x7f)) throw new Error(`${code} has more than ASCII in it`);
  return { code, nativeParts, packages: packagesOf(Object.keys(metafile.inputs)) };
}

/**
 * `z` is an object with all that zod has, 48 languages among it, and a bundler cannot tell what of an object is used. As a
 * namespace it brings only the parts that are.
 */
const partsOfZod = {
  name: "parts of zod",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](agent|console|shared)[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/^import \{ z \} from "zod";$/m, 'import * as z from "zod";'),
      loader: "ts",
    }));
  },
};

/** Every addon is loaded from the executable instead of from node_modules. */
function nativeAddons({ node }, nativeParts) {
  return {
    name: "native addons",
    setup({ onResolve, onLoad, resolve }) {
      // The library's own entry for bundles: it names the one addon of its processor instead of looking for it.
      onResolve({ filter: /^better-sqlite3$/ }, ({ resolveDir, kind }) =>
        resolve(`better-sqlite3/linux-${node}`, { resolveDir, kind }),
      );
      // What looks for a prebuilt addon at run time is to find it now.
      onResolve({ filter: /^node-gyp-build$/ }, ({ importer }) => ({
        // From here on, for it stands in a comment of the code, which must be the same wherever it is built.
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
        nativeParts[name] = path;
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

/** The folder of the npm package that a file belongs to. */
function packageOf(path) {
  const [, folder] = /^(.*node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(path) ?? [];
  if (folder === undefined) throw new Error(`${path} is of no npm package`);
  return folder;
}

function packagesOf(inputs) {
  const files = inputs.map((input) => join(root, input.replace(/^prebuilt:/, "")));
  return [...new Set(files.filter((path) => path.includes("node_modules")).map(packageOf))].sort();
}
