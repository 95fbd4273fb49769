/** Packages with drivers that the system has installed, beside the agent's executable: apart, because the agent itself never changes them. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";

/** Their folders, by name. An agent that runs from its sources has none. @param program the executable; undefined when it is none */
export function packagesBeside(program = isSea() ? process.execPath : undefined): ReadonlyMap<string, string> {
  if (program === undefined) return new Map();
  const folder = join(dirname(program), "drivers");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith(".")) : [];
  return new Map(names.map((name) => [name, join(folder, name)]));
}
