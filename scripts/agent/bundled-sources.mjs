// What all bundles of ours do with their sources: how zod is read, and which npm packages are in a bundle.
import { join } from "node:path";
import { root } from "../tools.mjs";

/** `z` is an object with all that zod has, 48 languages among it, and a bundler cannot find out what of an object is used; as a namespace it brings only the parts that are. */
export function withZodInParts(text) {
  return text.replace(/^import \{ z \} from "zod";$/m, 'import * as z from "zod";');
}

/** The folder of the npm package that a file belongs to. */
export function packageOf(path) {
  const [, folder] = /^(.*node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)/.exec(path) ?? [];
  if (folder === undefined) throw new Error(`${path} is of no npm package`);
  return folder;
}

/** The folders of the npm packages whose code is in a bundle. @param inputs as esbuild names them, from the root */
export function packagesOf(inputs) {
  const files = inputs.map((input) => join(root, input.replace(/^prebuilt:/, "")));
  return [...new Set(files.filter((path) => path.includes("node_modules")).map(packageOf))].sort();
}
