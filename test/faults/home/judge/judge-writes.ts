/** Whether the answers to writes can be true, given what the devices did: the allowed pairs of answers and acts. Pure. */
import type { Act, Ask, HomeRecord, Look, Write } from "../record.ts";
import { propertyKey } from "../record.ts";
import { isLostWithItsNode } from "./lost-ids.ts";
import { actsOf, nameOf, type Violation } from "./violation.ts";

const NEVER = new Set(["not_sent", "not_applied", "rejected"]);

export function judgeWrites(record: HomeRecord): Violation[] {
  const find = actsOf(record);
  const ends = lastLooks(record.looks);
  return record.writes.flatMap((write) => {
    const acts = find(write);
    const answered = each(write, acts, record.acts);
    const texts = [...times(acts), ...answered, ...together(write, acts), ...settled(record, write, acts, ends)];
    return texts.map(([rule, text]) => ({ rule, write, text: `${nameOf(write)} ${text}` }));
  });
}

/** Nothing is carried out that no client has asked for. */
export function judgeActs({ writes, acts }: HomeRecord): Violation[] {
  const asked = new Set(writes.map((write) => `${propertyKey(write)} ${write.value}`));
  return acts
    .filter((act) => act.by === "write" && !asked.has(`${propertyKey(act)} ${act.value}`))
    .map((act) => {
      const text = `${propertyKey(act)} = ${JSON.stringify(act.value)} was carried out, and nobody has asked for it`;
      return { rule: "not asked for", text, around: [act.at, act.at] as const };
    });
}

type Found = readonly [rule: string, text: string];

function times(acts: readonly Act[]): Found[] {
  return acts.length > 1 ? [["twice", `was carried out ${acts.length} times`]] : [];
}

/** Each answer by itself. A success states what the property is now, which may be what a person made of it after the write. */
function each(write: Write, acts: readonly Act[], all: readonly Act[]): Found[] {
  const found: Found[] = [];
  for (const ask of write.asks) {
    if (ask.status === undefined) continue;
    if (ask.status === 200) {
      const end = ask.end ?? 0;
      const done = acts.find(({ at }) => at <= end);
      if (!done) found.push(["confirmed, not done", "was confirmed, and not carried out by then"]);
      const since = done && all.filter((act) => isOf(write, act) && act.at >= done.at && act.at <= end);
      if (since && !since.some(({ value }) => value === ask.value))
        found.push(["another value", `was confirmed as ${JSON.stringify(ask.value)}, which it was not since`]);
    }
    if (ask.status >= 500 && ask.outcome === undefined && ask.title !== "Service Unavailable")
      found.push(["no outcome", `failed with ${ask.status} ${ask.title} and no outcome`]);
    if (ask.status === 202 && ask.commandId === undefined)
      found.push(["no id", "was taken, and nobody was told its ID"]);
  }
  return found;
}

function isOf(write: Write, act: Act): boolean {
  return act.device === write.device && act.property === write.property;
}

/** All answers of a write: a write with a key has several. */
function together({ asks }: Write, acts: readonly Act[]): Found[] {
  const last = asks.at(-1);
  const found: Found[] = [];
  const isDenied = asks.every(isNever);
  if (acts.length > 0 && last !== undefined && (isDenied || (isNever(last) && speaksOfKey(last)))) {
    const why = isDenied ? "" : ", by the last word on its key";
    found.push(["done all the same", `was told that it does not happen${why}, and carried out`]);
  }
  const confirmed = new Set(asks.filter(({ status }) => status === 200).map(({ commandId }) => commandId));
  if (confirmed.size > 1) found.push(["do not agree", `was confirmed as ${[...confirmed].join(" and ")}`]);
  return found;
}

/** Its caller got an answer that it does not happen. */
function isNever({ status, outcome }: Ask): boolean {
  if (NEVER.has(outcome ?? "")) return true;
  // Another attempt of it runs, and may yet do it.
  if (status === undefined || status === 409) return false;
  return status >= 400 && outcome === undefined;
}

/** A 5xx without an outcome means that this request has done nothing; what its key stands for has not been looked at. */
function speaksOfKey({ status = 0, outcome }: Ask): boolean {
  return status < 500 || outcome !== undefined;
}

/** What the service states in the end of the commands whose ID it answered. */
function settled(record: HomeRecord, write: Write, acts: readonly Act[], ends: ReadonlyMap<string, Look>): Found[] {
  const { api, asks } = write;
  if (api === "home") return [];
  const ids = new Set(asks.flatMap(({ commandId }) => commandId ?? []));
  const found: Found[] = [];
  for (const id of ids) {
    const end = ends.get(id);
    if (end?.status !== 200 && isLostWithItsNode(record, write, id)) continue;
    if (end?.status !== 200) found.push(["lost id", `has the ID ${id}, which is ${end?.status ?? "not answered"}`]);
    else if (!hasEnded(end)) found.push(["not settled", `is ${end.state} ${end.outcome ?? ""} in the end (${id})`]);
    else if (end.state === "confirmed" && acts.length === 0)
      found.push(["settled, not done", `is confirmed in the end (${id}), and was never carried out`]);
  }
  for (const { status, outcome, commandId = "" } of asks) {
    const state = ends.get(commandId)?.state;
    if (state === undefined) continue;
    if (status === 200 && state !== "confirmed")
      found.push(["told otherwise", `was confirmed, and is ${state} in the end (${commandId})`]);
    if (outcome === "rejected" && state !== "rejected")
      found.push(["told otherwise", `was rejected, and is ${state} in the end (${commandId})`]);
  }
  const all = [...ids].map((id) => ends.get(id));
  const isDenied = asks.every(({ status, commandId }) => status !== undefined && (commandId || status < 500));
  if (acts.length > 0 && ids.size > 0 && isDenied && all.every((end) => end && isNeverEnd(end)))
    found.push(["settled, done", `was carried out, and every command of it says in the end that it was not`]);
  return found;
}

export function hasEnded({ state }: Pick<Look, "state">): boolean {
  return state === "confirmed" || state === "rejected" || state === "failed" || state === "expired";
}

function isNeverEnd({ state, outcome }: Look): boolean {
  return state === "rejected" || (hasEnded({ ...(state && { state }) }) && NEVER.has(outcome ?? ""));
}

/** The last look at each command. */
function lastLooks(looks: readonly Look[]): ReadonlyMap<string, Look> {
  return new Map(looks.toSorted((one, other) => one.end - other.end).map((look) => [look.id, look]));
}
