// The bridge as one file, which the agent's executable loads by `require`.
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../tools.mjs";

/** Bundles the bridge to `path`. Gives it with the folders of the npm `packages` whose code is in it. */
export async function bundleBridge(path) {
  const { metafile } = await build({
    entryPoints: [join(root, "matter-bridge", "src", "main.ts")],
    outfile: path,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    minifyWhitespace: true,
    // The library finds its clusters and formats by the names of its classes.
    keepNames: true,
    lineLimit: 200,
    legalComments: "none",
    charset: "ascii",
    logLevel: "warning",
    // An ES module knows where it is; in a CommonJS module that is `__filename`.
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
    metafile: true,
    absWorkingDir: root,
    plugins: [withoutBun, smallZod],
  });
  return { path, packages: packagesOf(Object.keys(metafile.inputs)) };
}

/** The library can also keep what it keeps in Bun's SQLite, which Node.js does not have. */
const withoutBun = {
  name: "without bun",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bun:/ }, ({ path }) => ({ path, namespace: "bun" }));
    onLoad({ filter: /.*/, namespace: "bun" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** As a namespace zod brings only the parts that are used (see `scripts/agent/bundle.mjs`). */
const smallZod = {
  name: "small zod",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](matter-bridge|sdk|shared)[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
      const { readFileSync } = await import("node:fs");
      const text = readFileSync(path, "utf8");
      return { contents: text.replace(/^import \{ z \} from "zod";$/m, 'import * as z from "zod";'), loader: "ts" };
    });
  },
};

function packagesOf(inputs) {
  const folders = inputs.flatMap((input) => /^(.*node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(input)?.[1] ?? []);
  return [...new Set(folders)].sort().map((folder) => join(root, folder));
}
