/** IDs that no client can ask for, as is documented: the store took no end of the command, and the process that kept it died before it could. Pure. */
import type { Fault, HomeRecord, Write } from "../record.ts";

const STORE = "PostgreSQL";
/** How long after the store is back every end that was kept is in it, ms. */
const KEPT_MS = 10_000;

/** Whether the record proves that the end of the command with that ID was lost so. A confirmed command never is. */
export function isLostWithItsNode({ faults }: Pick<HomeRecord, "faults">, { asks }: Write, id: string): boolean {
  const ask = asks.find(({ commandId }) => commandId === id);
  if (ask?.end === undefined || ask.status === 200 || ask.status === 202) return false;
  const { begin, end } = ask;
  const broken = faults.filter((fault) => fault.target === STORE && fault.from <= end && endOf(fault) >= begin);
  return broken.some((store) =>
    faults.some((each) => isNodeKilled(each) && each.from >= begin && each.from <= endOf(store) + KEPT_MS),
  );
}

/** How many IDs were lost so: counted, because none is good. */
export function countLostIds(record: HomeRecord): number {
  const found = new Set(record.looks.filter(({ status }) => status === 200).map(({ id }) => id));
  return record.writes
    .filter(({ api }) => api === "cloud")
    .flatMap((write) =>
      [...new Set(write.asks.flatMap(({ commandId }) => commandId ?? []))].map((id) => ({ write, id })),
    )
    .filter(({ write, id }) => !found.has(id) && isLostWithItsNode(record, write, id)).length;
}

function isNodeKilled({ track, name, target }: Fault): boolean {
  return track === "cloud" && name === "kill" && target !== STORE && target !== "NATS";
}

function endOf({ to = Number.POSITIVE_INFINITY }: Fault): number {
  return to;
}
