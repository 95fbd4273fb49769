/** Whether the log has everything that was acknowledged, once, in the hubs' own order, and numbered without a gap. Pure. */
import { changesOf, propertyKey } from "./changes.ts";
import type { EventSeen, History } from "./history.ts";

export function judgeLog({ final, truth }: History): string[] {
  const { log } = final;
  const gaps = log.flatMap(({ sequence }, at) => {
    const due = at + (log[0]?.sequence ?? 1);
    return sequence === due ? [] : [`the log has ${sequence} where ${due} is due`];
  });
  // One gap moves all that follow: the first reports it.
  return [...gaps.slice(0, 1), ...ofReports({ final, truth }), ...ofConfirmed({ final, truth }), ...ends(log)];
}

/** A report that was acknowledged is in the log once, and no reported value is there twice; in the order of the reports. */
function ofReports({ final, truth }: Pick<History, "final" | "truth">): string[] {
  const logged = changesInLog(final.log);
  return truth.reports.flatMap(({ device, property, value, ackedAt }) => {
    const times = (logged.get(`${device} ${property}`) ?? []).filter((one) => one === value).length;
    const name = `the report ${device} ${property} = ${value}`;
    if (times > 1) return [`${name} is in the log ${times} times`];
    return times === 0 && ackedAt !== undefined ? [`${name} was acknowledged, and is not in the log`] : [];
  });
}

/** Each confirmed act is in the log once; all entries of a property stand in the hub's order. */
function ofConfirmed({ final, truth }: Pick<History, "final" | "truth">): string[] {
  const logged = changesInLog(final.log);
  const confirmed = new Set(final.commands.filter(({ state }) => state === "confirmed").map(({ id }) => id));
  const ordered = changesOf(truth, new Map());
  const violations = truth.acts.flatMap(({ device, property, value, commandId, at }) => {
    const key = `${device} ${property}`;
    const all = logged.get(key) ?? [];
    const times = all.filter((one) => one === value).length;
    const name = `${key} = ${JSON.stringify(value)}`;
    if (times > 1) return [`${name} is in the log ${times} times`];
    if (times > 0 || !confirmed.has(commandId)) return [];
    // One whose answer was lost may be overtaken by what came after it: then it moves nothing any more.
    const later = (ordered.get(key) ?? []).some((change) => change.at > at && all.includes(change.value));
    return later ? [] : [`${name} was confirmed, and is not in the log`];
  });
  for (const [key, changes] of ordered) {
    const order = new Map(changes.map(({ value }, at) => [value, at]));
    const places = (logged.get(key) ?? []).map((value) => order.get(value) ?? -1);
    const wrong = places.findIndex((place, at) => at > 0 && place < (places[at - 1] ?? 0));
    if (wrong > 0) violations.push(`${key}: the log has ${logged.get(key)?.[wrong]} after what the hub did later`);
  }
  return violations;
}

/** Each end of a command is logged once. */
function ends(log: readonly EventSeen[]): string[] {
  const seen = new Set<string>();
  return log.flatMap(({ commandId, unconfirmedId }) => {
    const what = commandId !== undefined ? `${commandId} was completed` : `${unconfirmedId} was unconfirmed`;
    if (commandId === undefined && unconfirmedId === undefined) return [];
    if (seen.has(what)) return [`command ${what} twice`];
    seen.add(what);
    return [];
  });
}

/** Values of each property as the log has them, in its order, without those that every device begins with. */
function changesInLog(log: readonly EventSeen[]): Map<string, unknown[]> {
  const values = new Map<string, unknown[]>();
  for (const { change } of log) {
    if (change === undefined || change.value === 0) continue;
    const key = propertyKey(change);
    const list = values.get(key);
    if (list) list.push(change.value);
    else values.set(key, [change.value]);
  }
  return values;
}
