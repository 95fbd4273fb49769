/**
 * Builds the answer from the collected facts: the cause of the value, the outcome of the newest command, present
 * obstacles, and unknown parts. Pure, so that each case is a row of a table.
 *
 * Invariant: the answer states only what a row, an event or the journal contains; missing parts are named.
 */
import { formatTime, type Why, type WhyActor, type WhyCommand } from "@porchlight/shared/api";
import { firstIdOf } from "@porchlight/shared/kernel";
import {
  type HubJournalEntry,
  type PropertyAddress,
  UNKNOWN_TIME,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";
import { type CommandRow, one, type Sql, statement } from "../store/index.ts";
import { type LastChange, SEARCH_LIMITS, type SearchLimits } from "./last-change.ts";
import { type Around, framesOfCommand, framesOfValue, shownCommand, whyNoFrames } from "./shown-command.ts";

export interface Facts extends Around {
  /** JSON; undefined while there is no value. Times in wall-clock ms. */
  readonly stored: { readonly value: string; readonly modifiedAt: number; readonly observedAt: number } | undefined;
  readonly change: LastChange;
  /** The command of the change; undefined for a change without a command, and when it is no longer kept. */
  readonly causing: CommandRow | undefined;
  readonly newest: NewestCommands;
  /** The scene of the change; undefined without one, or when it is deleted. */
  readonly sceneName: string | undefined;
  readonly isVirtual: boolean;
  readonly obstacles: Why["obstacles"];
}

type Explained = Pick<
  Why,
  "value" | "modifiedAt" | "observedAt" | "source" | "cause" | "asked" | "obstacles" | "unknown"
>;

export function explain(facts: Facts): Explained {
  const { stored, newest } = facts;
  const cause = causeOf(facts);
  const last = newest.rows[0];
  const asked = last && last.id !== cause.command?.id ? shownCommand(last, facts) : undefined;
  return {
    ...shownValue(stored),
    cause,
    ...(asked && { asked }),
    obstacles: [...(asked ? becameOf(asked, facts) : []), ...facts.obstacles],
    unknown: unknownOf(facts, cause, asked),
  };
}

function shownValue(stored: Facts["stored"]): Pick<Why, "value" | "modifiedAt" | "observedAt" | "source"> {
  if (!stored) return {};
  const value: Why["value"] = JSON.parse(stored.value);
  if (stored.observedAt === UNKNOWN_TIME) return { value, source: "retained" };
  return { value, modifiedAt: formatTime(stored.modifiedAt), observedAt: formatTime(stored.observedAt) };
}

function causeOf(facts: Facts): Why["cause"] {
  const { stored, change, causing, isVirtual, newest } = facts;
  if (!stored) return { kind: "none" };
  if (change.kind !== "found") return { kind: "unknown" };
  const { event, previousValue, cause } = change.change;
  const { kind, commandId, tokenId, sceneId } = cause;
  // A value of a virtual device is reported by a request, which is a command too.
  const report = isVirtual && kind === "device" ? newest.rows.find((row) => isBehind(row, stored.value)) : undefined;
  const row = causing ?? report;
  const by = row ? undefined : senderWithoutCommand(facts, kind, tokenId);
  const frames = row ? undefined : framesWithoutCommand(facts, kind, commandId);
  return {
    kind,
    at: formatTime(event.createdAt),
    eventId: event.id,
    sequence: event.sequence,
    ...(previousValue !== undefined && { previousValue }),
    ...(commandId !== undefined && { commandId }),
    ...(sceneId !== undefined && { sceneId }),
    ...(facts.sceneName !== undefined && { sceneName: facts.sceneName }),
    ...(sceneId !== undefined && cause.by !== undefined && { sceneTrigger: cause.by }),
    ...(row && { command: shownCommand(row, facts, sceneId) }),
    ...(by && { by }),
    ...(frames && { frames }),
  };
}

function isBehind(row: CommandRow, value: string): boolean {
  return row.outcome === "confirmed" && row.value === value;
}

/** The frames of a command that the service does not have, by its ID; otherwise those that carried the value. */
function framesWithoutCommand(facts: Facts, kind: string, given: string | undefined) {
  const { journal, stored } = facts;
  const commandId = given ?? (kind === "local" ? writeAtHome(facts)?.command : undefined);
  if (commandId !== undefined) return framesOfCommand(journal, commandId);
  if (!stored || (kind !== "device" && kind !== "refresh")) return undefined;
  const value: Value = JSON.parse(stored.value);
  return framesOfValue(journal, kind === "device" ? "report" : "read", { value, changedAt: stored.modifiedAt });
}

/** The sender: for a refresh, its token; for a write at home, the sender in the hub's journal. */
function senderWithoutCommand(facts: Facts, kind: string, tokenId: string | undefined): WhyActor | undefined {
  if (tokenId !== undefined) return facts.senders.get(tokenId);
  const entry = kind === "local" ? writeAtHome(facts) : undefined;
  return entry && { kind: "local", ...(entry.by && { name: entry.by }) };
}

/** The newest write through the hub's own API with the present value. */
function writeAtHome({ journal, stored }: Facts): HubJournalEntry | undefined {
  if (journal.kind !== "answered" || !stored) return undefined;
  const value: Value = JSON.parse(stored.value);
  return journal.journal.items.find(
    ({ isLocal, requested, end }) => isLocal && end?.outcome === "confirmed" && valuesEqual(requested, value),
  );
}

/** The outcome of the newest command, if the value does not come from it. */
function becameOf(asked: WhyCommand, { stored, now }: Facts): Why["obstacles"] {
  const { state, outcome, error, completedAt, expiresAt } = asked;
  const shown = {
    ...(completedAt !== undefined && { at: completedAt }),
    ...(error && { detail: error.detail, ...(error.code !== undefined && { code: error.code }) }),
  };
  if (state === "queued") return [{ kind: "waiting", until: expiresAt }];
  if (state === "sent" && outcome === undefined) return [{ kind: "under_way" }];
  switch (outcome) {
    case "confirmed":
      // An equal value causes no event, so the older cause still applies.
      return stored && sameJson(stored.value, asked.value)
        ? []
        : [{ kind: "superseded", ...shown, at: formatTime(stored?.modifiedAt ?? now) }];
    case "rejected":
    case "not_sent":
    case "not_applied":
    case "unknown":
      return [{ kind: outcome, ...shown }];
    case undefined:
      return [];
  }
}

function sameJson(text: string, value: WhyCommand["value"]): boolean {
  return valuesEqual(JSON.parse(text), value as Value);
}

const GONE = "The events of the time when the value changed are not kept any more.";
const MISSING = "No event in the log tells of this value.";

function unknownOf(
  { change, stored, newest, journal }: Facts,
  cause: Why["cause"],
  asked: WhyCommand | undefined,
): Why["unknown"] {
  const unknown: Why["unknown"] = [];
  if (stored && change.kind !== "found")
    unknown.push({ about: "cause", detail: change.kind === "gone" ? GONE : MISSING });
  if (cause.commandId !== undefined && !cause.command)
    unknown.push({ about: "command", detail: "The command is not kept any more." });
  if (cause.kind === "device" && !cause.command)
    unknown.push({ about: "sender", detail: "A device does not say whether a person operated it." });
  if (cause.kind === "local" && !cause.by)
    unknown.push({ about: "sender", detail: "The hub did not say which token of its own API was used." });
  for (const command of [cause.command, asked])
    if (command?.outcome === "confirmed" && !command.hops)
      unknown.push({ about: "hops", detail: `The time that each hop took with ${command.id} was not stored.` });
  if (journal.kind === "unknown") unknown.push({ about: "journal", detail: journal.detail });
  if (newest.isCut && newest.rows.length === 0)
    unknown.push({ about: "commands", detail: "There are too many commands to look through all of them." });
  const at = withoutFrames({ stored, newest }, cause, asked);
  const why = at === undefined ? undefined : whyNoFrames(journal, at);
  if (why !== undefined) unknown.push({ about: "frames", detail: why });
  return unknown;
}

/** The time of an exchange whose frames are missing from the answer, wall clock, ms; undefined when there is none. */
function withoutFrames(
  { stored, newest }: Pick<Facts, "stored" | "newest">,
  cause: Why["cause"],
  asked: WhyCommand | undefined,
): number | undefined {
  const isByLine = cause.kind === "device" || cause.kind === "refresh" || cause.kind === "local";
  if (isByLine && !cause.command && !cause.frames) return stored?.modifiedAt;
  const shown = [cause.command, asked].find(
    (command) => command && !command.frames && command.hops?.some(({ hop }) => hop === "device"),
  );
  return shown && (newest.rows.find(({ id }) => id === shown.id)?.created_at ?? stored?.modifiedAt);
}

/**
 * Parameters of the search for a property's newest commands: by their IDs, which are in the order of time, over a
 * bounded number of rows.
 */
type Place = { eco: string; device: string; service: string; idx: string; property: string };
const ofSlice = statement<Place & { before: string; last: string; limit: number }>("commands_to_property")((db, p) =>
  db
    .selectFrom("commands")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("id", "<", p.before)
    .where("id", ">=", p.last)
    .where("device_id", "=", p.device)
    .where("service", "=", p.service)
    .where("idx", "=", p.idx)
    .where("property", "=", p.property)
    .orderBy("id", "desc")
    .limit(p.limit),
);
/** The end of a slice of that many rows; no row when there are fewer. */
const endOfSlice = statement<{ eco: string; before: string; since: string; offset: number }>("end_of_commands")(
  (db, p) =>
    db
      .selectFrom("commands")
      .select("id")
      .where("ecosystem_id", "=", p.eco)
      .where("id", "<", p.before)
      .where("id", ">=", p.since)
      .orderBy("id", "desc")
      .offset(p.offset)
      .limit(1),
);

interface NewestCommands {
  /** The newest first. */
  readonly rows: readonly CommandRow[];
  /** Whether older rows were not searched. */
  readonly isCut: boolean;
}

/** Maximum difference between the times in IDs and in rows, ms. */
const SKEW = 60_000;

/**
 * @param since wall clock, ms: excludes earlier commands
 * @param until wall clock, ms: excludes later commands
 * @throws "Service Unavailable"
 */
export async function newestCommands(
  sql: Sql,
  place: { readonly ecosystemId: string; readonly deviceId: string } & PropertyAddress,
  { since, until, most }: { readonly since: number; readonly until: number; readonly most: number },
  limits: SearchLimits = SEARCH_LIMITS,
): Promise<NewestCommands> {
  const { ecosystemId: eco, deviceId: device, service, index: idx, property } = place;
  const oldest: string = firstIdOf("cmd", since - SKEW);
  let before: string = firstIdOf("cmd", until + SKEW);
  const rows: CommandRow[] = [];
  for (let looked = 0; looked < limits.most; looked += limits.slice) {
    const end = await one(sql.all(endOfSlice, { eco, before, since: oldest, offset: limits.slice - 1 }));
    const last = end?.id ?? oldest;
    rows.push(
      ...(await sql.all(ofSlice, { eco, device, service, idx, property, before, last, limit: most - rows.length })),
    );
    if (rows.length === most || !end) return { rows, isCut: false };
    before = last;
  }
  return { rows, isCut: true };
}
