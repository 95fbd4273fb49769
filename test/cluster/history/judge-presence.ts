/** Whether the shown presence of hubs was true within its bound, and whether a revoked token was dead in time. Pure. */
import type { Connected } from "../hubs/truth.ts";
import type { History, Look } from "./history.ts";

/** Longest that a hub may be shown online after it was really gone, ms. */
const OFFLINE_WITHIN_MS = 20_000;
/** Longest that a revoked token may be taken, ms. */
const DEAD_WITHIN_MS = 5000;

export function judgePresence({ looks, truth }: History): string[] {
  const connections = Map.groupBy(truth.connections, ({ hub }) => hub);
  const acts = Map.groupBy(truth.acts, ({ hub }) => hub);
  return looks.flatMap((look) => {
    if (look.state === "online") return isThere(look, connections.get(look.hub) ?? []);
    if (look.state !== "offline") return [];
    // One connection by which it acted before and after stood all the while.
    const epochs = (from: number, to: number) =>
      (acts.get(look.hub) ?? []).flatMap(({ at, epoch }) => (at >= from && at <= to ? [epoch] : []));
    const before = new Set(epochs(Number.NEGATIVE_INFINITY, look.begin));
    const meanwhile = epochs(look.end, Number.POSITIVE_INFINITY).find((epoch) => before.has(epoch));
    return meanwhile === undefined
      ? []
      : [`${look.hub} was shown offline at ${look.node}, and acted before and after by connection ${meanwhile}`];
  });
}

function isThere({ hub, node, begin, end }: Look, connections: readonly Connected[]): string[] {
  const until = Math.max(
    ...connections.filter(({ from }) => from <= end).map(({ to }) => to ?? Number.POSITIVE_INFINITY),
    Number.NEGATIVE_INFINITY,
  );
  if (until === Number.NEGATIVE_INFINITY) return [`${hub} was shown online at ${node} before it ever was`];
  const late = begin - until;
  return late <= OFFLINE_WITHIN_MS
    ? []
    : [`${hub} was shown online at ${node} ${Math.round(late)} ms after it was really gone`];
}

export function judgeTokens({ tokens }: History): string[] {
  return tokens.flatMap(({ revokedAt, uses }) =>
    uses.flatMap(({ node, begin, status }) =>
      status < 400 && begin > revokedAt + DEAD_WITHIN_MS
        ? [`a revoked token was taken at ${node} ${Math.round(begin - revokedAt)} ms after it had been revoked`]
        : [],
    ),
  );
}
