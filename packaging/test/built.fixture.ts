/** The agent as hubs get it, and the cloud as servers get it, built from the current sources, by the command that builds a release. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../test/parts/program.ts";
import { runTool } from "./tool.fixture.ts";

export interface Built extends Disposable {
  readonly executable: string;
  readonly debianPackage: string;
}

/** @param env what is different where it is built; @throws Error with its whole output when it cannot be built */
export async function buildAgent(env: Readonly<Record<string, string>> = {}, umask = "022"): Promise<Built> {
  const { paths, ...folder } = await build("agent", env, umask);
  const [executable = "", debianPackage = ""] = paths;
  return { executable, debianPackage, ...folder };
}

/** The Debian package of the cloud, as {@link buildAgent}. */
export async function buildCloud(
  env: Readonly<Record<string, string>> = {},
  umask = "022",
): Promise<Pick<Built, "debianPackage"> & Disposable> {
  const { paths, ...folder } = await build("cloud", env, umask);
  const [debianPackage = ""] = paths;
  return { debianPackage, ...folder };
}

/** What `npm run package:WHAT` prints, each line the path of a file. */
async function build(what: "agent" | "cloud", env: Readonly<Record<string, string>>, umask: string) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-build-"));
  const words = [process.execPath, join(ROOT, "scripts", `package-${what}.mjs`), "--out", folder];
  const command = `umask ${umask} && exec "$0" "$@"`;
  const { status, stdout, output } = await runTool("sh", ["-c", command, ...words], { ...process.env, ...env });
  if (status !== 0) throw new Error(`the ${what} could not be built:\n${output}`);
  return { paths: stdout.trim().split("\n"), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
