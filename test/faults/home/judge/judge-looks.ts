/** Whether the service's answers about its commands are final, and whether all commands came to rest. Pure. */
import type { HomeRecord, Look } from "../record.ts";
import { hasEnded } from "./judge-writes.ts";
import type { Violation } from "./violation.ts";

/** A command that was found is found again, and one that has ended stays as it ended. */
export function judgeLooks({ looks, writes }: HomeRecord): Violation[] {
  const writeOf = new Map(writes.flatMap((write) => write.asks.map(({ commandId }) => [commandId, write] as const)));
  return [...Map.groupBy(looks, ({ id }) => id)].flatMap(([id, list]) => {
    const [change] = changesOf(list);
    if (!change) return [];
    const write = writeOf.get(id);
    const text = `command ${id} was ${wordOf(change[0])}, and then ${wordOf(change[1])}`;
    return [{ rule: "changed its end", text, ...(write && { write }) }];
  });
}

/** Pairs of looks whose second cannot follow the first. */
function changesOf(list: readonly Look[]): [Look, Look][] {
  const inOrder = list.filter(({ status }) => status === 200 || status === 404).toSorted((a, b) => a.begin - b.begin);
  const known = inOrder.find(({ status }) => status === 200);
  const ended = inOrder.find(hasEnded);
  return inOrder.flatMap((later): [Look, Look][] => {
    if (ended && later.begin >= ended.end && wordOf(later) !== wordOf(ended)) return [[ended, later]];
    return known && later.begin >= known.end && later.status === 404 ? [[known, later]] : [];
  });
}

function wordOf({ status, state, outcome }: Look): string {
  return status === 200 ? [state, outcome].filter((word) => word).join(" ") : String(status);
}

/** Everything comes to rest in time when nothing is broken any more. */
export function judgeRest({ awaited }: HomeRecord): Violation[] {
  return awaited.map((what) => ({ rule: "no rest", text: what }));
}
