/** The agent as hubs get it, built from the sources as they are, by the command that builds what is released. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../parts/program.ts";
import { runTool } from "./tool.fixture.ts";

export interface Built extends Disposable {
  readonly executable: string;
  readonly debianPackage: string;
}

/** @param env what is different where it is built; @throws Error with all that was said when it cannot be built */
export async function buildAgent(env: Readonly<Record<string, string>> = {}, umask = "022"): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-build-"));
  const words = [process.execPath, join(ROOT, "scripts", "package-agent.mjs"), "--out", folder];
  const command = `umask ${umask} && exec "$0" "$@"`;
  const { status, stdout, said } = await runTool("sh", ["-c", command, ...words], { ...process.env, ...env });
  if (status !== 0) throw new Error(`the agent could not be built:\n${said}`);
  const [executable = "", debianPackage = ""] = stdout.trim().split("\n");
  return { executable, debianPackage, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
