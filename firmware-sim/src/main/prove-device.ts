/** Proves one board: where it is, or what starts it, and the commands that touch it by hand. */
import { proveNode } from "../lab/conform/prove-node.ts";
import type { RuleReport } from "../lab/conform/rule.ts";
import type { Asked } from "./conform-agent.ts";
import { LineProgram } from "./line-program.ts";
import { type PlaceOptions, placeOfOption } from "./place.ts";
import { ran } from "./ran.ts";
import { UsageError } from "./usage.ts";

export interface DeviceOptions extends PlaceOptions {
  /** A command that starts it on a pseudo-terminal, in the place of `serial` and `tcp`. */
  readonly exec?: string | undefined;
  readonly link?: string | undefined;
  readonly execLog?: string | undefined;
  /** Commands that make it report something. */
  readonly stimulate?: readonly string[] | undefined;
  /** A command that resets it. */
  readonly reset?: string | undefined;
}

/** @throws UsageError, OpenProblem; Silence when nothing comes from there */
export async function proveDevice(asked: Asked, options: DeviceOptions): Promise<RuleReport> {
  const { exec: command, link: name, execLog: log, reset } = options;
  const place = placeOfOption(options);
  const stimuli = options.stimulate?.map((stimulus) => ({ name: stimulus, run: () => ran(stimulus) }));
  const resets = reset === undefined ? undefined : () => ran(reset);
  if (place && command !== undefined) throw new UsageError("--exec starts the device; leave out --serial and --tcp");
  if (command !== undefined) {
    await using board = new LineProgram({ clock: asked.clock, subject: "board", command, link: name, log });
    const { link, path } = board.port;
    return await proveNode({ ...asked, link, where: path, stimuli, reset: resets ?? (() => board.restart()) });
  }
  if (!place)
    throw new UsageError(
      "Specify the device: --serial PATH[@BAUD], --tcp HOST:PORT, or --exec COMMAND that starts it; or --agent for a hub.",
    );
  const connect = place.isShared ? place.open : undefined;
  return proveNode({ ...asked, link: await place.open(), where: place.name, connect, stimuli, reset: resets });
}
