/**
 * `porchlight-agent program FILE …`: a program that is installed beside the agent, on the agent's own Node.js, for a hub has no other. No
 * person calls it, so it is no command of the program; what it runs has the rights of who calls it, and nothing of the hub.
 */
import nodeModules from "node:module";
import { resolve } from "node:path";
import { EXIT } from "./command.ts";

/** Settles only when there is no file: the program ends the process itself. */
export async function runProgramBeside([file, ...args]: readonly string[]): Promise<number> {
  if (file === undefined) {
    process.stderr.write("porchlight-agent: there is no program to run\n");
    return EXIT.refused;
  }
  const path = resolve(file);
  process.argv = [process.execPath, path, ...args];
  // By `require`, which a program that is one executable has and `import` of files it has not.
  const load: (path: string) => unknown = nodeModules.createRequire(path);
  load(path);
  return await new Promise<never>(() => undefined);
}
