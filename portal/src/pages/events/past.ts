/** Events of the past, from a sequence on: a short stream beside the one that all tabs share, ended when it has caught up. */
import type { PorchlightEvent, StreamItem, StreamOptions } from "@porchlight/sdk";
import { MOST } from "./tail.ts";

export interface Past {
  readonly events: readonly PorchlightEvent[];
  /** Some that were asked for are no longer kept. */
  readonly isCut: boolean;
}

/** A stream that has said nothing for so long has caught up, ms. */
const QUIET = 1500;

/** @param after sequence of the last event before them @param until sequence that is known already; undefined: none is @throws PorchlightError */
export async function pastEvents(
  open: (options: StreamOptions) => AsyncIterable<StreamItem>,
  asked: { readonly ecosystemId: string; readonly after: number; readonly until: number | undefined },
): Promise<Past> {
  const { ecosystemId, after, until } = asked;
  const end = new AbortController();
  const events: PorchlightEvent[] = [];
  let isCut = false;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(quiet);
    quiet = setTimeout(() => end.abort(), QUIET);
  };
  const onConnection = ({ state }: { readonly state: string }) => void (state === "connected" && listen());
  try {
    for await (const item of open({ ecosystemId, after, signal: end.signal, onConnection })) {
      listen();
      if (item.kind === "reset") isCut = true;
      if (item.kind !== "event") continue;
      events.push(item.event);
      if (events.length === MOST || (until !== undefined && item.event.sequence >= until)) break;
    }
  } catch (error) {
    if (!end.signal.aborted) throw error;
  } finally {
    clearTimeout(quiet);
  }
  return { events, isCut };
}
