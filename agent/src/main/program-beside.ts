/**
 * `porchlight-agent program FILE …`: runs a program installed beside the agent on the agent's own Node.js, because a hub has no other.
 * Users do not call it, so `--help` does not list it; the program has its caller's rights, and gets nothing of the hub.
 */
import nodeModules from "node:module";
import { resolve } from "node:path";
import { EXIT } from "./command.ts";

/** Resolves only when there is no file: otherwise the program ends the process itself. */
export async function runProgramBeside([file, ...args]: readonly string[]): Promise<number> {
  if (file === undefined) {
    process.stderr.write("porchlight-agent: there is no program to run\n");
    return EXIT.refused;
  }
  const path = resolve(file);
  process.argv = [process.execPath, path, ...args];
  // Uses `require`, because a single executable has no `import` of files.
  const load: (path: string) => unknown = nodeModules.createRequire(path);
  load(path);
  return await new Promise<never>(() => undefined);
}
