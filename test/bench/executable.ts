/** The agent as its package has it: one executable. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../parts/program.ts";

/** What the package has inside (scripts/agent): plain JavaScript, so that its shape is said here. */
interface Builder {
  buildExecutable(architecture: unknown, path: string): Promise<unknown>;
  nativeArchitecture(): unknown;
}

/** @returns the path of the executable, just written */
export async function agentExecutable(folder: string): Promise<string> {
  const part = (name: string): Promise<Builder> => import(join(ROOT, "scripts/agent", name));
  const path = join(folder, "porchlight-agent");
  const architecture = (await part("architectures.mjs")).nativeArchitecture();
  await (await part("executable.mjs")).buildExecutable(architecture, path);
  return path;
}

/**
 * Lets the system forget what it has of a file in memory, as after a start of the machine: the agent then reads it from the disk, as it does
 * on a hub. A file that was just written stands in memory in pieces of up to 2 MB, and newer kernels (6.18) count a piece for a process that
 * needs one page of it: 15 MB more that say nothing of the agent.
 */
export function forgetFile(path: string): void {
  execFileSync("sync", [path]);
  execFileSync("dd", [`of=${path}`, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none"]);
}
