/** When a connection to a bridge is of no use any more: it has been closed, or the bridge does not answer. */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import type { BridgeConnection } from "./bridge-api.ts";

/** A bridge that has lost its power says nothing: it is asked for something small this often, ms. */
const WATCH_MS = 30_000;

interface Watch {
  readonly clock: Clock;
  /** @throws Error when the bridge does not answer in time */
  readonly ask: () => Promise<unknown>;
}

/** Settles with why, at the latest when the signal is aborted. */
export async function endOf(connection: BridgeConnection, watch: Watch, signal: AbortSignal): Promise<string> {
  const end = new AbortController();
  const stopped = new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve("the driver stops"), { signal: end.signal });
  });
  return await Promise.race([connection.closed, stopped, silence(watch, end.signal)]).finally(() => end.abort());
}

/** Settles with why, when the bridge does not answer any more; and when the signal is aborted. */
async function silence({ clock, ask }: Watch, signal: AbortSignal): Promise<string> {
  while (!signal.aborted) {
    await sleep(clock, "bridge to be asked whether it is there", WATCH_MS, signal).catch(() => undefined);
    if (signal.aborted) break;
    const why = await ask().then(() => undefined, inWords);
    if (why !== undefined) return why;
  }
  return "the connection has ended";
}

function inWords(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
