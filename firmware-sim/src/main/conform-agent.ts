/** What `conform --agent` does: makes the line, starts the hub when it is told how, proves it, and leaves nothing behind. */
import { type ProveHubOptions, proveHub } from "../lab/conform/hub/prove-hub.ts";
import type { RuleReport } from "../lab/conform/rule.ts";
import { Silence } from "../lab/conform/silence.ts";
import { openPty } from "../simulator/links/pty-link.ts";
import { LineProgram } from "./line-program.ts";
import { noteOutput } from "./print.ts";
import { ran } from "./ran.ts";

export interface HubOptions {
  readonly link?: string | undefined;
  readonly exec?: string | undefined;
  readonly execLog?: string | undefined;
  /** Commands that set a property of the played lamp through the hub. */
  readonly stimulate?: readonly string[] | undefined;
}

/** What every proof is told, of a device or of a hub. */
export type Asked = Omit<ProveHubOptions, "link" | "where" | "patience" | "gone" | "stimuli">;

/** How long a person may take to start the hub, ms. */
const PATIENCE = 60_000;

/** @throws Silence when no hub opens the line in time */
export async function proveAgent(asked: Asked, options: HubOptions): Promise<RuleReport> {
  const { link: name, exec, execLog } = options;
  const stimuli = options.stimulate?.map((stimulus) => ({ name: stimulus, run: () => ran(stimulus) }));
  if (exec !== undefined) {
    await using hub = new LineProgram({ clock: asked.clock, subject: "hub", command: exec, link: name, log: execLog });
    const { link, path } = hub.port;
    const gone = hub.ended.then((how) => `${how}, and nothing came.`);
    try {
      return await proveHub({ ...asked, link, where: path, patience: PATIENCE, gone, stimuli });
    } catch (failure) {
      if (failure instanceof Silence && hub.isRunning && hub.said !== "")
        noteOutput(`The hub's command is still running. Its last output:\n${hub.said}`);
      throw failure;
    }
  }
  const { link, path, close } = openPty(name);
  process.stderr.write(`Start the hub on this line: porchlight-agent run --serial ${path} …\n`);
  try {
    return await proveHub({ ...asked, link, where: path, patience: PATIENCE, stimuli });
  } finally {
    close();
  }
}
