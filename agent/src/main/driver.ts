/** `porchlight-agent driver`: the process in which a running agent runs a driver; users do not call it, so `--help` does not list it. */
import type { Clock, Random } from "@porchlight/shared/kernel";
import { serveDriverHere } from "../drivers/packages/index.ts";
import { EXIT } from "./command.ts";

/** Resolves with the exit status. */
export async function runDriverHere(deps: { readonly clock: Clock; readonly random: Random }): Promise<number> {
  if (await serveDriverHere(deps)) return 0;
  process.stderr.write("porchlight-agent: a driver is started by the agent, not by hand\n");
  return EXIT.notAllowed;
}
