// Where the repository and its tools are: its own file because every script asks.
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = fileURLToPath(new URL("..", import.meta.url));

const binaries = join(root, "node_modules", ".bin");

/** The Node.js of the lock file: the one in executables, on any Node.js that runs the script. */
export const nodeBinary = join(binaries, "node");

/** The environment in which the project's own tools come first. */
export function toolEnvironment(more = {}) {
  return { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ""}`, ...more };
}
