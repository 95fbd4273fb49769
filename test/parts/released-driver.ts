/** The Matter driver's package as it is released. */
import { join } from "node:path";
import { runTool } from "../../packaging/test/tool.fixture.ts";
import { ROOT } from "./program.ts";

/** Builds it into the folder, and gives where it is. @throws Error with its whole output when it cannot be built */
export async function packagedDriver(folder: string): Promise<string> {
  const built = await runTool(process.execPath, [join(ROOT, "scripts", "package-driver.mjs"), "--out", folder]);
  if (built.status !== 0) throw new Error(`the driver could not be built:\n${built.output}`);
  const [archive = ""] = built.stdout.trim().split("\n");
  return archive;
}
