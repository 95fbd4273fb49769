/** What `conform --agent` does: makes the line, starts the hub when it is told how, proves it, and leaves nothing behind. */
import { type ProveHubOptions, proveHub } from "../conform/hub/prove-hub.ts";
import type { RuleReport } from "../conform/rule.ts";
import { openPty } from "../links/pty-link.ts";
import { HubProgram } from "./hub-program.ts";

export interface HubOptions {
  readonly link?: string;
  readonly exec?: string;
}

/** What every proof is told, of a device or of a hub. */
export type Asked = Omit<ProveHubOptions, "link" | "where" | "patience" | "gone">;

/** How long a person may take to start the hub, ms. */
const PATIENCE = 60_000;

/** @throws Silence when no hub opens the line in time */
export async function proveAgent(asked: Asked, { link: name, exec }: HubOptions): Promise<RuleReport> {
  if (exec !== undefined) {
    await using hub = new HubProgram(exec, name, asked.clock);
    const { link, path } = hub.port;
    const gone = hub.ended.then((how) => `${how}, and nothing came.`);
    return await proveHub({ ...asked, link, where: path, patience: PATIENCE, gone });
  }
  const { link, path, close } = openPty(name);
  process.stderr.write(`Start the hub on this line: porchlight-agent run --serial ${path} …\n`);
  try {
    return await proveHub({ ...asked, link, where: path, patience: PATIENCE });
  } finally {
    close();
  }
}
