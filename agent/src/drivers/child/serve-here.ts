/** The child's own process: the pipes that it got from its agent, and its end. */
import { fstatSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import type { Clock, Random } from "@porchlight/shared/kernel";
import { MESSAGES_FD, PERMISSION_FD } from "./child-process.ts";
import { type DriverInChildDeps, serveDriver } from "./driver-in-child.ts";
import { lineChannel } from "./line-channel.ts";
import { askByPipe } from "./permission-pipe.ts";

export interface ServeHereDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly start: DriverInChildDeps["start"];
}

/** How long the driver may take to end when the agent is gone, ms. */
const ORPHAN_MS = 2000;

/** Runs one driver until its agent ends it or is gone. False when this process was not started by an agent. */
export async function serveHere({ clock, random, start }: ServeHereDeps): Promise<boolean> {
  if (!isPipe(MESSAGES_FD) || !isPipe(PERMISSION_FD)) return false;
  process.on("uncaughtException", (failure) => die(failure));
  const channel = lineChannel(new Socket({ fd: MESSAGES_FD }), () => {
    clock.timer("end without an agent", ORPHAN_MS, () => process.exit(1));
  });
  await serveDriver({ channel: { ...channel, mayTouch: askByPipe(PERMISSION_FD) }, clock, random, start });
  return true;
}

/** Writes the reason in one line and exits; the agent starts another child. */
function die(failure: Error): never {
  writeSync(2, `${failure.stack?.split("\n").slice(1, 2).join("").trim() ?? ""}\n${failure.message}\n`);
  process.exit(1);
}

function isPipe(fd: number): boolean {
  try {
    return fstatSync(fd).isSocket() || fstatSync(fd).isFIFO();
  } catch {
    return false;
  }
}
