// Part of bundled programs: where a file lies that was beside the code.
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

/** @param path in the repository, and so in the executable's folder */
export function urlBeside(path) {
  return new URL(path, pathToFileURL(`${dirname(process.execPath)}/`)).href;
}
