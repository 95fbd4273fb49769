/** Whether devices acted in time, and where they did not, whether a standstill that the record proves is a reason that is documented. Pure. */
import type { Act, Ask, HomeRecord, Kind, Standstill, Write } from "../record.ts";
import { actsOf, nameOf, type Violation } from "./violation.ts";

/**
 * How much later than its deadline a device may act, ms. A deadline counts from when a node or the hub has the request, and a client
 * of a busy machine, where everything takes its time, is that much earlier; the hub credits a slow network with 250 ms; what is on the line when time is up arrives.
 */
const LATE_MS = 2000;
/** From here on an act that a standstill explains is counted as late by it, ms after its deadline. */
const REMARKABLE_MS = 1000;
/** Latest that a queued command without an answer is taken, ms: its client goes away then. */
const TAKEN_WITHIN_MS = 6000;
/** How long a request may be on its way to its receiver, ms. */
const ARRIVES_MS = 500;

/** Why an act may be late. */
export type Excuse =
  /** The receiver of the request was stopped, and had the request when it resumed: its time began then. */
  | "taken late"
  /** Its bytes lay in the buffer of a device, or of a line, that stood still. */
  | "device stood still"
  /** The process of its driver was stopped when it was ordered to act, and before it did. */
  | "driver stood still"
  /** The hub stood still when it had handed its bytes over, and before they left. */
  | "hub stood still";

export interface Timing {
  readonly violations: readonly Violation[];
  /** Latest act that needed no excuse, ms after its deadline; negative when all were early. */
  readonly worstMs: number;
  /** Acts that were late, each with what excuses it, ms after its deadline. */
  readonly late: readonly { readonly excuse: Excuse; readonly ms: number }[];
}

export function judgeTiming(record: HomeRecord): Timing {
  const find = actsOf(record);
  const violations: Violation[] = [];
  let worstMs = Number.NEGATIVE_INFINITY;
  const excused: { readonly excuse: Excuse; readonly ms: number }[] = [];
  for (const write of record.writes) {
    for (const act of find(write)) {
      const ask = latestAsk(write, act);
      if (!ask) {
        violations.push({ rule: "early", write, text: `${nameOf(write)} was carried out before it was asked for` });
        continue;
      }
      const ms = act.at - deadlineOf(write, ask);
      const excuse = ms > REMARKABLE_MS ? excuseOf(record, write, ask, act, ms) : undefined;
      if (excuse) excused.push({ excuse, ms });
      else if (ms <= LATE_MS) worstMs = Math.max(worstMs, ms);
      else
        violations.push({
          rule: "late",
          write,
          text: `${nameOf(write)} was carried out ${Math.round(ms)} ms after its deadline`,
        });
    }
  }
  return { violations, worstMs, late: excused };
}

/** Of the asks before the act the one whose deadline is the latest. */
function latestAsk(write: Write, { at }: Act): Ask | undefined {
  const before = write.asks.filter(({ begin }) => begin <= at);
  return before.toSorted((one, other) => deadlineOf(write, other) - deadlineOf(write, one))[0];
}

/** A time to live counts from when the command was taken, which was before it was answered; a wait from when it was asked for. */
function deadlineOf({ kind, waitMs }: Write, { begin, end }: Ask): number {
  return (kind === "queued" ? (end ?? begin + TAKEN_WITHIN_MS) : begin) + waitMs;
}

/** The excuse for an act that is so late: reasons that together stood for long enough, by the longest one. */
function excuseOf(record: HomeRecord, write: Write, ask: Ask, act: Act, ms: number): Excuse | undefined {
  const reasons = record.standstills.flatMap((standstill) => {
    const excuse = reasonOf(record, standstill, write, ask, act);
    const from = Math.max(standstill.from, ask.begin);
    const to = Math.min(standstill.to ?? act.at, act.at);
    return excuse && to > from ? [{ excuse, from, to }] : [];
  });
  const longest = reasons.toSorted((one, other) => other.to - other.from - (one.to - one.from))[0];
  return longest && ms - covered(reasons) <= LATE_MS ? longest.excuse : undefined;
}

/** A held line to the service, and a server behind it, are no reasons: the hub detects late frames, and a node knows how old a request is. */
function reasonOf(
  { nodeOf, matterDevice }: HomeRecord,
  { kind, what, from, to = Number.POSITIVE_INFINITY }: Standstill,
  { api, device }: Write,
  { begin }: Ask,
  { at }: Act,
): Excuse | undefined {
  const asked: Kind = api === "home" ? "hub" : "service";
  if (kind === asked && from <= begin + ARRIVES_MS && to >= begin) return "taken late";
  if ((kind === "device" || kind === "device line") && what === nodeOf[device]) return "device stood still";
  // What it finds out about time when it goes on is no excuse: only what it had begun before, and did not get out.
  const isBegun = from >= begin && at >= to && at - to <= LATE_MS;
  if (kind === "hub" && isBegun) return "hub stood still";
  if (kind === "driver" && device === matterDevice && isBegun) return "driver stood still";
  return undefined;
}

/** How long at least one of them lasted, ms. */
function covered(spans: readonly { readonly from: number; readonly to: number }[]): number {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}
