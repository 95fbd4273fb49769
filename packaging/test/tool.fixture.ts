/** Runs a tool to its end without blocking the test's own process, which has to report now and then that it is alive. */
import { spawn } from "node:child_process";

export interface Ran {
  readonly status: number | null;
  /** stdout, and after it stderr. */
  readonly output: string;
  readonly stdout: string;
}

/** Never rejects when the tool fails: its status shows that. @param env its whole environment; this process's when left out */
export function runTool(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => {
      stdout += data;
    });
    child.stderr.on("data", (data) => {
      stderr += data;
    });
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, output: stdout + stderr, stdout }));
  });
}
