/** The whole judgement of a run: every rule, and how much each had to judge, since a rule that saw nothing proves nothing. */
import type { HomeRecord } from "../record.ts";
import { judgeLooks, judgeRest } from "./judge-looks.ts";
import { judgeFinalValues, judgeReadings } from "./judge-readings.ts";
import { judgeTiming, type Timing } from "./judge-time.ts";
import { judgeActs, judgeWrites } from "./judge-writes.ts";
import { countLostIds } from "./lost-ids.ts";
import type { Violation } from "./violation.ts";

export interface Judgement {
  readonly violations: readonly Violation[];
  readonly timing: Timing;
  /** The number of judged items, by kind; of requests also by their answers. */
  readonly counts: Readonly<Record<string, number>>;
}

const RULES: readonly ((record: HomeRecord) => Violation[])[] = [
  judgeWrites,
  judgeActs,
  judgeLooks,
  judgeReadings,
  judgeFinalValues,
  judgeRest,
];

export function judge(record: HomeRecord): Judgement {
  const timing = judgeTiming(record);
  const violations = [...timing.violations, ...RULES.flatMap((rule) => rule(record))];
  return { violations, timing, counts: countsOf(record) };
}

function countsOf(record: HomeRecord): Record<string, number> {
  const { writes, acts, readings, looks, frames, finalValues, matterDevice } = record;
  const asks = writes.flatMap(({ asks }) => asks);
  const answers = Map.groupBy(asks, ({ status, title, outcome }) => {
    if (status === undefined) return "no answer";
    return status < 300 ? String(status) : `${status} ${title} ${outcome ?? ""}`.trimEnd();
  });
  const sorted = [...answers].toSorted(([one], [other]) => one.localeCompare(other));
  return {
    requests: asks.length + readings.length + looks.length,
    writes: writes.length,
    "attempts at writes": asks.length,
    ...Object.fromEntries(sorted.map(([name, list]) => [`  ${name}`, list.length])),
    "acts by writes": acts.filter(({ by }) => by === "write").length,
    ...(matterDevice !== undefined && {
      "  of the Matter device": acts.filter(({ by, device }) => by === "write" && device === matterDevice).length,
    }),
    "acts by people": acts.filter(({ by }) => by === "person").length,
    "values read": readings.filter(({ refreshed }) => !refreshed).length,
    "values refreshed": readings.filter(({ refreshed }) => refreshed).length,
    "looks at commands": looks.length,
    "IDs lost with the node that kept them": countLostIds(record),
    "frames on device lines": frames.length,
    "final values": finalValues.length,
  };
}
