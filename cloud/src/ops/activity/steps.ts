/** The steps of a period and their content: pure. A step without any data is omitted, so that it cannot be mistaken for an empty one. */
import { type ActivityStep, type CommandCounts, formatTime, type RequestCounts } from "@porchlight/shared/api";
import { noCommands } from "./command-counts.ts";
import type { Coverage } from "./service-queries.ts";

const MINUTE = 60_000;
/** How long activity is stored, ms: as long as the request log. */
export const KEEP_ACTIVITY = 7 * 86_400_000;
/** Length of the period when the request states no start, ms. */
const DEFAULT_SPAN = 3_600_000;

/** Wall clock, ms; `since` and `until` are multiples of `step`. */
export interface Steps {
  readonly since: number;
  readonly until: number;
  readonly step: number;
}

/** The requested period, widened to whole steps and limited to the stored time; `since` equals `until` when nothing is left. */
export function stepsOf(
  asked: { readonly since: number | undefined; readonly until: number | undefined; readonly stepMinutes: number },
  now: number,
): Steps {
  const step = asked.stepMinutes * MINUTE;
  // Includes the present moment.
  const until = Math.min(asked.until ?? Number.POSITIVE_INFINITY, now + 1);
  const oldest = Math.ceil((now - KEEP_ACTIVITY) / step) * step;
  const begin = Math.floor((asked.since ?? until - DEFAULT_SPAN) / step) * step;
  const end = Math.ceil(until / step) * step;
  return { since: Math.min(Math.max(begin, oldest), end), until: end, step };
}

/** The data of one step. */
export interface StepFacts {
  /** Wall clock, ms. */
  readonly since: number;
  readonly until: number;
  readonly coverage: Coverage;
  /** Undefined: none were found. */
  readonly commands: CommandCounts | undefined;
  readonly requests: RequestCounts | undefined;
  /** Whether requests can be reported for the requested object. */
  readonly reportsRequests: boolean;
  /** Creation time of the requested object, and the present time. */
  readonly madeAt: number;
  readonly now: number;
}

/** Undefined without any data. */
export function activityStepOf(facts: StepFacts): ActivityStep | undefined {
  const { since, until, coverage, commands, madeAt, now } = facts;
  if (until <= madeAt || since > now) return undefined;
  if (coverage === "none" && !commands && !facts.requests) return undefined;
  const isWhole = coverage === "whole" && since >= madeAt && until <= now;
  const requests = requestsOf(facts);
  const rate = requests && errorRateOf(requests);
  return {
    since: formatTime(since),
    until: formatTime(until),
    ...(!isWhole && { partial: true as const }),
    commands: commands ?? noCommands(),
    ...(requests && { requests }),
    ...(rate !== undefined && { errorRate: rate }),
  };
}

function requestsOf({ reportsRequests, coverage, requests }: StepFacts): RequestCounts | undefined {
  if (!reportsRequests) return undefined;
  if (requests) return requests;
  return coverage === "none" ? undefined : { status2xx: 0, status3xx: 0, status4xx: 0, status5xx: 0 };
}

/** Rounded to four digits; undefined without a request. */
export function errorRateOf(requests: RequestCounts): number | undefined {
  const errors = requests.status4xx + requests.status5xx;
  const all = errors + requests.status2xx + requests.status3xx;
  return all === 0 ? undefined : Math.round((errors / all) * 10_000) / 10_000;
}
