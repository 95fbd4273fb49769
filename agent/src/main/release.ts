/** The first part of `porchlight-agent unpair`: devices that are bound to the hub are let go, which can take minutes. */
import { sleep } from "@porchlight/shared/kernel";
import { type ReleaseSummary, releaseSummary } from "../ops/index.ts";
import type { Surroundings } from "./command.ts";

type Ask = (question: { readonly ask: string; readonly about: unknown }) => Promise<unknown>;

/** Between two looks, ms. */
const LOOK_MS = 500;

/** Shows how far it is until it is over. @param isForced ends it at once @throws CommandFailed when the agent does not answer */
export async function releaseDevices(
  ask: Ask,
  isForced: boolean,
  around: Pick<Surroundings, "clock" | "out">,
): Promise<ReleaseSummary> {
  const { clock, out } = around;
  let shown = "";
  for (;;) {
    const release = releaseSummary.parse(await ask({ ask: "release", about: { force: isForced } }));
    const line = `${release.text} (${release.released} of ${release.bound} released)\n`;
    if (release.bound > 0 && line !== shown) out(line);
    if (release.isOver) return release;
    shown = line;
    await sleep(clock, "a look at what is released", LOOK_MS);
  }
}

/** What another hub cannot have before it has been reset. */
export function sayReset({ mustBeReset }: ReleaseSummary, { err }: Pick<Surroundings, "err">): void {
  if (mustBeReset.length === 0) return;
  err("these devices are still bound to this hub; reset each before another hub can use it:\n");
  for (const { edgeId, name } of mustBeReset) err(`  ${[edgeId, name].filter(Boolean).join("  ")}\n`);
}
