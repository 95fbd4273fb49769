/** The whole judgement of a run: all rules, and how much each had to judge, since a rule that saw nothing proves nothing. */
import type { History } from "./history.ts";
import { judgeDeliveries, judgeStreams } from "./judge-events.ts";
import { judgeLog } from "./judge-log.ts";
import { judgePresence, judgeTokens } from "./judge-presence.ts";
import { judgeActs, judgePuts } from "./judge-puts.ts";
import { judgeFinalValues, judgeReads } from "./judge-values.ts";

export interface Judgement {
  readonly violations: readonly string[];
  /** The number of judged items, by kind; of PUTs also by outcome. */
  readonly counts: Readonly<Record<string, number>>;
}

const RULES: readonly ((history: History) => string[])[] = [
  judgePuts,
  judgeActs,
  judgeReads,
  judgeFinalValues,
  judgeLog,
  judgeStreams,
  judgeDeliveries,
  judgePresence,
  judgeTokens,
];

export function judge(history: History): Judgement {
  const violations = RULES.flatMap((rule) => rule(history));
  return { violations, counts: countsOf(history) };
}

function countsOf(history: History): Record<string, number> {
  const { puts, reads, looks, streams, deliveries, tokens, truth, final } = history;
  const attempts = puts.flatMap(({ attempts }) => attempts);
  const outcomes = Map.groupBy(attempts, ({ status, outcome, title }) => {
    if (status === undefined) return "put: no answer";
    return status < 300 ? `put: ${status}` : `put: ${status} ${title} ${outcome ?? ""}`.trimEnd();
  });
  return {
    puts: puts.length,
    ...Object.fromEntries([...outcomes].map(([name, list]) => [name, list.length])),
    acts: truth.acts.length,
    reports: truth.reports.length,
    connections: truth.connections.length,
    "cached reads": reads.filter(({ refreshed }) => !refreshed).length,
    refreshes: reads.filter(({ refreshed }) => refreshed).length,
    "looks at presence": looks.length,
    events: final.log.length,
    "events on streams": streams.reduce((sum, { events }) => sum + events.length, 0),
    deliveries: deliveries.length,
    "deliveries repeated": deliveries.length - new Set(deliveries.map(({ id }) => id)).size,
    "uses of revoked tokens": tokens.reduce((sum, { uses }) => sum + uses.length, 0),
    "final values": final.values.length,
  };
}
