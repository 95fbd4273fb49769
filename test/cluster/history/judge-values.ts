/** Whether the values that were read are those that the devices had, and none older than what a client already knew. Pure. */
import { type Change, changesOf, propertyKey } from "./changes.ts";
import type { History, Read } from "./history.ts";

/** How long a node may not know what another has acknowledged, ms. */
const STALE_MS = 1000;
/** A refresh may share a read that was under way when it came, and that waits no longer than this, ms. */
const SHARED_MS = 3000;
/** What every property has before any write. */
const FIRST: Change = { value: 0, at: Number.NEGATIVE_INFINITY, knownAt: Number.NEGATIVE_INFINITY };

export function judgeReads({ puts, reads, truth }: History): string[] {
  const confirmedAt = new Map<string, number>();
  for (const { attempts } of puts)
    for (const { status, commandId, end } of attempts)
      if (status === 200 && commandId !== undefined && end !== undefined) confirmedAt.set(commandId, end);
  const changes = changesOf(truth, confirmedAt);
  return reads.flatMap((read) => judgeRead(read, [FIRST, ...(changes.get(propertyKey(read)) ?? [])]));
}

function judgeRead(read: Read, changes: readonly Change[]): string[] {
  const { value, begin, end, refreshed, node } = read;
  const name = `${propertyKey(read)} was ${refreshed ? "refreshed" : "read"} at ${node} as ${JSON.stringify(value)}`;
  const at = changes.findLastIndex((change) => change.value === value && change.at <= end);
  if (at < 0) return [`${name}, which it never had until then`];
  const known = changes.findLastIndex((change) =>
    refreshed ? change.at <= begin - SHARED_MS : change.knownAt <= begin - STALE_MS,
  );
  const newer = changes[known];
  if (at >= known || newer === undefined) return [];
  const age = Math.round(begin - (refreshed ? newer.at : newer.knownAt));
  return [`${name}, ${age} ms after ${JSON.stringify(newer.value)} ${refreshed ? "was there" : "was acknowledged"}`];
}

/** After everything has calmed down every node shows what the devices have. */
export function judgeFinalValues({ final }: History): string[] {
  return final.values.flatMap(({ node, device, property, shown, held }) =>
    shown === held
      ? []
      : [`${device} ${property} is ${JSON.stringify(held)}, and ${node} shows ${JSON.stringify(shown)}`],
  );
}
