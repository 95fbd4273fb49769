// A program's code as one CommonJS file, with each native addon that it loads turned into a part of the executable.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";
import { root } from "../tools.mjs";
import { AGENT } from "./programs.mjs";

const OPTIONS = {
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
};

/** Libraries that most programs never load: each is a part of its own, so that its text takes memory only where it is used. */
const LATE_LIBRARIES = /^mqtt$/;

/**
 * Bundles the program into `folder`. Gives the `code`'s path, the `parts` that it loads from the executable (path of each by its name),
 * and the folders of the npm `packages` whose code is in it.
 */
export async function bundleProgram(architecture, folder, program = AGENT) {
  const [parts, inputs] = [{}, []];
  const code = join(folder, `${program.package}.cjs`);
  await bundle(
    {
      entryPoints: [join(root, program.package, "src", "main.ts")],
      outfile: code,
      plugins: [nativeAddons(architecture, parts), lateLibraries(folder, parts, inputs), partsOfZod],
    },
    inputs,
  );
  return { code, parts, packages: packagesOf(inputs) };
}

async function bundle(options, inputs) {
  const { metafile } = await build({ ...OPTIONS, ...options });
  // One letter beyond Latin, and the whole text takes two bytes a letter.
  if (readFileSync(options.outfile).some((byte) => byte > 0x7f))
    throw new Error(`${options.outfile} has more than ASCII in it`);
  inputs.push(...Object.keys(metafile.inputs));
}

/** The program's own code loads them from the executable, when it first asks for them. */
function lateLibraries(folder, parts, inputs) {
  return {
    name: "late libraries",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: LATE_LIBRARIES }, ({ path, importer }) =>
        importer.includes("node_modules") ? undefined : { path, namespace: "late", pluginData: dirname(importer) },
      );
      onLoad({ filter: /.*/, namespace: "late" }, async ({ path, pluginData: resolveDir }) => {
        const [name, outfile] = [`${path}.cjs`, join(folder, `late-${path}.cjs`)];
        const stdin = { contents: `module.exports = require(${JSON.stringify(path)});`, resolveDir };
        await bundle({ stdin, outfile }, inputs);
        parts[name] = outfile;
        const loader = join(root, "scripts", "agent", "late-part.mjs");
        return {
          contents: `module.exports = require(${JSON.stringify(loader)}).latePart(${JSON.stringify(name)});`,
          resolveDir,
        };
      });
    },
  };
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
