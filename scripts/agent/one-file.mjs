// Code in one file, which Node.js loads by `require`: of a driver, as a package with a driver must have it (docs/drivers.md), and of the Matter bridge.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../tools.mjs";
import { packagesOf, withZodInParts } from "./bundled-sources.mjs";

/**
 * Bundles a workspace. Gives its `code`, and the folders of the npm `packages` whose code is in it.
 * @param entry the file of the workspace that is loaded, such as `drivers/matter/src/index.ts`
 */
export async function bundleOneFile(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node24",
    // What is one file may not be loaded with `await` outside of functions; CommonJS has none.
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    // The Matter library looks at names of its classes while it runs.
    keepNames: true,
    charset: "ascii",
    legalComments: "none",
    logLevel: "error",
    outfile: "bundle.cjs",
    define: { "import.meta.url": "undefined", "import.meta.dirname": "__dirname" },
    plugins: [otherRuntimes, namespacedZod],
    write: false,
    metafile: true,
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${entry} could not be bundled`);
  return { code: inAscii(file.text), packages: packagesOf(Object.keys(metafile.inputs)) };
}

/**
 * The bundler escapes what is not ASCII everywhere but in regular expressions. One such character, and V8 keeps the whole source with two
 * bytes for each of its millions of characters.
 */
function inAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What a library asks of a runtime that is not Node.js is never reached. */
const otherRuntimes = {
  name: "other runtimes",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bun:/ }, ({ path }) => ({ path, namespace: "nothing" }));
    onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** As a namespace zod brings only the used parts. */
const namespacedZod = {
  name: "namespaced zod",
  setup({ onLoad }) {
    onLoad(
      { filter: /[/\\](driver-kit|drivers[/\\]\w+|matter-bridge|sdk|shared)[/\\]src[/\\].*\.ts$/ },
      ({ path }) => ({
        contents: withZodInParts(readFileSync(path, "utf8")),
        loader: "ts",
      }),
    );
  },
};
