/** Whether the answers to callers of PUTs can be true, given what the hubs did. Pure: every violation is a sentence. */
import type { Act } from "../hubs/truth.ts";
import type { Attempt, History, Put } from "./history.ts";

/**
 * How much later than its deadline a lamp may be touched, ms. The deadline is counted from when a node has the request,
 * and a client of a busy machine is that much earlier; what the hub credits a slow network with is in it.
 */
const LATE_MS = 1000;

/** Latest that a deferred command without an answer is taken, ms: its client goes away then. */
const TAKEN_WITHIN_MS = 30_000;

const NEVER = new Set(["not_sent", "not_applied", "rejected"]);

export function judgePuts({ puts, truth, final }: History): string[] {
  const acts = Map.groupBy(truth.acts, keyOf);
  const ends = new Map(final.commands.map(({ id, state }) => [id, state]));
  return puts.flatMap((put) => {
    const done = acts.get(keyOf(put)) ?? [];
    return [...times(put, done), ...answers(put, done), ...settled(put, ends)];
  });
}

/** Nothing is carried out that no client has asked for, and of everything that is the store has a command. */
export function judgeActs({ puts, truth, final }: History): string[] {
  const asked = new Set(puts.map(keyOf));
  const known = new Map(final.commands.map(({ id, state }) => [id, state]));
  return truth.acts.flatMap((act) => {
    const name = `${keyOf(act)} (command ${act.commandId} at ${Math.round(act.at)} by connection ${act.epoch})`;
    if (!asked.has(keyOf(act))) return [`${name} was carried out, and nobody has asked for it`];
    const state = known.get(act.commandId);
    return state === "confirmed" ? [] : [`${name} was carried out, and its command is ${state ?? "not known"}`];
  });
}

function times(put: Put, done: readonly Act[]): string[] {
  const name = storyOf(put);
  const violations: string[] = [];
  const acts = done.map(({ commandId, at, epoch }) => `${commandId} at ${Math.round(at)} by connection ${epoch}`);
  if (done.length > 1) violations.push(`${name} was carried out ${done.length} times: ${acts.join(", ")}`);
  const begin = put.attempts[0]?.begin ?? 0;
  const deadline = Math.max(...put.attempts.map((attempt) => countsFrom(put, attempt))) + put.waitMs;
  for (const { at } of done) {
    if (at < begin) violations.push(`${name} was carried out ${Math.round(begin - at)} ms before it was asked for`);
    if (at > deadline + LATE_MS)
      violations.push(`${name} was carried out ${Math.round(at - deadline)} ms after its deadline`);
  }
  return violations;
}

/** A time to live counts from when the command was taken, which was before it was answered; a wait from when it was asked for. */
function countsFrom({ kind }: Put, { begin, end }: Attempt): number {
  return kind === "deferred" ? (end ?? begin + TAKEN_WITHIN_MS) : begin;
}

function answers(put: Put, done: readonly Act[]): string[] {
  const name = storyOf(put);
  const violations: string[] = [];
  for (const attempt of put.attempts) {
    const { status, outcome, end, value } = attempt;
    if (status === undefined) continue;
    if (status === 200 && value !== put.value) violations.push(`${name} was confirmed as ${JSON.stringify(value)}`);
    if (status === 200 && !done.some(({ at }) => at <= (end ?? 0)))
      violations.push(`${name} was confirmed, and not carried out by then`);
    if (status >= 500 && outcome === undefined && attempt.title !== "Service Unavailable")
      violations.push(`${name} failed with ${status} ${attempt.title} and no outcome`);
  }
  if (put.attempts.every(isNever) && done.length > 0)
    violations.push(`${name} was told that it does not happen, and carried out all the same`);
  return violations;
}

/** Its caller got an answer that it does not happen, or that no hub could take it. */
function isNever({ outcome, status, title }: Attempt): boolean {
  if (NEVER.has(outcome ?? "")) return true;
  // Another attempt of it runs: that one may yet do it.
  if (status === 409) return false;
  return status !== undefined && status >= 400 && outcome === undefined && title !== undefined;
}

function settled(put: Put, ends: ReadonlyMap<string, string>): string[] {
  return put.attempts.flatMap(({ status, commandId, outcome }) => {
    if (commandId === undefined) return [];
    const state = ends.get(commandId);
    const name = `${storyOf(put)} (command ${commandId})`;
    if (status === 200 && state !== "confirmed")
      return [`${name} was confirmed to its caller, and is ${state ?? "not known"} in the store`];
    if (status === 202 && state === undefined) return [`${name} was taken, and is not known in the store`];
    if (outcome === "unknown" && (state === "sent" || state === "queued"))
      return [`${name} was never settled: it is ${state}`];
    return [];
  });
}

/** The PUT with all its answers, and when: what a person needs who looks for the cause. */
function storyOf(put: Put): string {
  const attempts = put.attempts.map(({ node, begin, end, status, title, outcome }) => {
    const answer = status === undefined ? "no answer" : [status, title, outcome].filter((word) => word).join(" ");
    return `${node} ${Math.round(begin)}..${end === undefined ? "" : Math.round(end)}: ${answer}`;
  });
  return `${put.kind} ${keyOf(put)} (${put.waitMs} ms; ${attempts.join("; ")})`;
}

function keyOf(one: Pick<Act, "device" | "property" | "value">): string {
  return `${one.device} ${one.property} = ${JSON.stringify(one.value)}`;
}
