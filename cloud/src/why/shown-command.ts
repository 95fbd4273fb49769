/** A command in the answer of `why`: its row, its sender, and the additions of the hub's journal. Pure. */
import { formatTime, type WhyActor, type WhyCommand, type WhyFrame } from "@porchlight/shared/api";
import { isNamed } from "@porchlight/shared/kernel";
import {
  type HubJournal,
  type HubJournalEntry,
  type JournalQuestion,
  type KeptExchange,
  type Value,
  valuesEqual,
} from "@porchlight/shared/model";
import { givenName } from "@porchlight/shared/names";
import { DEFAULT_META_PREFIX, showMeta } from "../access/index.ts";
import { commandHops, commandOrigin, commandResource, type Devices, durationOf } from "../devices/index.ts";
import { type CommandRow, one, type Store, statement } from "../store/index.ts";
import { readHolder } from "./service-queries.ts";

export interface Around {
  /** By token ID. */
  readonly senders: ReadonlyMap<string, WhyActor>;
  readonly journal: JournalAnswer;
  readonly sight: Sight;
  /** Wall clock, ms. */
  readonly now: number;
}

type Hops = Readonly<NonNullable<WhyCommand["hops"]>>;

/** The journal keeps commands that began within this time, ms; slightly less, because clocks differ. */
const JOURNAL_MS = 23 * 3_600_000;

/** @param sceneId the scene that sent it */
export function shownCommand(row: CommandRow, { senders, journal, sight, now }: Around, sceneId?: string): WhyCommand {
  const { address, requestId, idempotencyKey, isReport } = commandOrigin(row);
  const sender = row.token_id === null ? undefined : senders.get(row.token_id);
  const entry = entryOf(journal, row.id);
  const hops = wholeHops(commandHops(row), entry);
  const isAll = sight === "all";
  const durationMs = durationOf(row);
  const frames = framesOfCommand(journal, row.id);
  return {
    ...commandResource(row),
    ...(sender && { by: { ...sender, ...(isAll && address !== undefined && { address }) } }),
    ...(sceneId !== undefined && { sceneId }),
    ...(isReport && { isReport }),
    ...(requestId !== undefined && { requestId }),
    ...(isAll && idempotencyKey !== undefined && { idempotencyKey }),
    ...(durationMs !== undefined && { durationMs }),
    ...(hops.length > 0 && { hops: [...hops] }),
    ...journalOf(row, entry, journal, now),
    ...(frames && { frames }),
  };
}

/**
 * Adds the hub's own measurements for a command that the cloud did not await, or awaited together with others: there
 * the hub's time was part of the tunnel's.
 */
function wholeHops(stored: Hops, entry: HubJournalEntry | undefined): Hops {
  if (!entry?.hops || stored.some(({ hop }) => hop === "hub")) return stored;
  const ofHub = hubHops(entry);
  const within = ofHub.reduce((all, { ms }) => all + ms, 0);
  const outside = (ms: number) => tenths(Math.max(0, ms - within));
  return [...stored.map((each) => (each.hop === "tunnel" ? { ...each, ms: outside(each.ms) } : each)), ...ofHub];
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function hubHops({ hops = {} }: HubJournalEntry): Hops {
  const { turn = 0, journal = 0, device } = hops;
  return [
    { hop: "hub", ms: tenths(turn + journal) },
    ...(device === undefined ? [] : [{ hop: "device" as const, ms: tenths(device) }]),
  ];
}

function entryOf(answer: JournalAnswer, commandId: string): HubJournalEntry | undefined {
  return answer.kind === "answered" ? answer.journal.items.find(({ command }) => command === commandId) : undefined;
}

function journalOf(
  row: CommandRow,
  entry: HubJournalEntry | undefined,
  answer: JournalAnswer,
  now: number,
): Pick<WhyCommand, "journal"> {
  if (entry) {
    const { begunAt, end } = entry;
    return {
      journal: {
        isFound: true,
        ...(begunAt !== undefined && { begunAt: formatTime(begunAt) }),
        ...(end && { endedAt: formatTime(end.at), outcome: end.outcome }),
        ...(end?.failure && { detail: end.failure.detail }),
      },
    };
  }
  const wouldBeThere = answer.kind === "answered" && !answer.journal.isCut && now - row.created_at < JOURNAL_MS;
  // A command that ended before it was sent is not expected there.
  return wouldBeThere && row.client_id !== null && row.outcome !== "not_sent" && row.state !== "queued"
    ? { journal: { isFound: false } }
    : {};
}

/** Maximum difference between the reported time of a value and that of its frames, ms: the hub may have set its clock in between. */
const SKEW = 5000;

/** The frames of all attempts at a command, in order; undefined when the hub has none. */
export function framesOfCommand(answer: JournalAnswer, commandId: string): WhyFrame[] | undefined {
  return shownFrames(exchangesOf(answer).filter(({ command }) => command === commandId));
}

/**
 * The frames of a value that the device reported, or that was read from it.
 * @param changedAt wall clock of the hub, ms, at the change
 */
export function framesOfValue(
  answer: JournalAnswer,
  kind: "report" | "read",
  { value, changedAt }: { readonly value: Value; readonly changedAt: number },
): WhyFrame[] | undefined {
  const distance = ({ frames }: KeptExchange) =>
    Math.min(...frames.map(({ at }) => Math.abs(at - changedAt)), Number.POSITIVE_INFINITY);
  const [nearest] = exchangesOf(answer)
    .filter((each) => each.kind === kind && each.value !== undefined && valuesEqual(each.value, value))
    .filter((each) => distance(each) <= SKEW)
    .sort((one, other) => distance(one) - distance(other));
  return nearest && shownFrames([nearest]);
}

/**
 * Why the hub has no frames of an exchange with a device. Undefined when the hub was not asked.
 * @param at time of the exchange, wall clock, ms
 */
export function whyNoFrames(answer: JournalAnswer, at: number): string | undefined {
  if (answer.kind !== "answered") return undefined;
  const { line } = answer.journal;
  if (!line) return "The agent on the hub is too old to keep the frames on the line.";
  if (line.kind === "off") return "The hub is set to keep no frames on the line (frameBytes is 0).";
  if (at < line.since)
    return "The hub was started again since then, and does not have the frames on the line any more.";
  return "The hub has no frames on the line of it: it keeps the newest of its serial lines and network devices only.";
}

function exchangesOf(answer: JournalAnswer): readonly KeptExchange[] {
  return answer.kind === "answered" && answer.journal.line?.kind === "kept" ? answer.journal.line.exchanges : [];
}

/** @param exchanges the newest first */
function shownFrames(exchanges: readonly KeptExchange[]): WhyFrame[] | undefined {
  const frames = exchanges.toReversed().flatMap((exchange) => exchange.frames);
  const [first] = frames;
  if (!first) return undefined;
  const after = (at: number) => Math.round(Math.max(0, at - first.at) * 100) / 100;
  return frames.map(({ at, ...frame }) => ({ at: formatTime(at), afterMs: after(at), ...frame }));
}

/**
 * The hub's journal of the commands to a property, requested through the tunnel, or why it is unknown. A failure does
 * not fail the answer.
 */
export type JournalAnswer =
  /** The device has no hub. */
  | { readonly kind: "none" }
  | { readonly kind: "answered"; readonly journal: HubJournal }
  | { readonly kind: "unknown"; readonly detail: string };

const OUTDATED = "The agent on the hub is too old to answer questions about its journal.";

/** @param hub of the device; undefined for a virtual device */
export async function askJournal(
  devices: Pick<Devices, "askMaintenance">,
  hub: { readonly ecosystemId: string; readonly clientId: string } | undefined,
  property: Omit<JournalQuestion, "ask">,
): Promise<JournalAnswer> {
  if (!hub) return { kind: "none" };
  try {
    const answer = await devices.askMaintenance({ ...hub, question: { ask: "journal", ...property } });
    if ("journal" in answer) return { kind: "answered", journal: answer.journal };
    return { kind: "unknown", detail: "refused" in answer ? answer.refused : OUTDATED };
  } catch (error) {
    if (!isNamed(error)) throw error;
    if (error.name === "Hub Outdated") return { kind: "unknown", detail: OUTDATED };
    if (error.name === "Hub Offline")
      return { kind: "unknown", detail: "The hub is not connected, so its journal cannot be read." };
    return { kind: "unknown", detail: "The hub did not answer the question about its journal in time." };
  }
}

/** Reads the sender of a command, with the name that users know. */
const subject = statement<{ eco: string; id: string }>("sender_of_command")((db, p) =>
  db
    .selectFrom("objects")
    .leftJoin("users", (join) =>
      join.onRef("users.ecosystem_id", "=", "objects.ecosystem_id").onRef("users.id", "=", "objects.id"),
    )
    .select(["objects.alias", "objects.meta", "objects.gone_at", "users.key"])
    .where("objects.ecosystem_id", "=", p.eco)
    .where("objects.id", "=", p.id),
);

/** The part of a sender that the caller may see: `all` for accounts and servers. */
export type Sight = "all" | "name";

/** The sender of a command, limited to the part that the caller may see. @throws "Service Unavailable" */
export async function senderOf(store: Store, ecosystemId: string, tokenId: string, sight: Sight): Promise<WhyActor> {
  const holder = await readHolder(store, tokenId);
  if (!holder) return { kind: "unknown", tokenId };
  const { kind, subject_id: id, user_agent: userAgent, account_name: accountName } = holder;
  if (kind === "acc" || kind === "auth") {
    const agent = sight === "all" && userAgent !== null && { userAgent };
    return { kind: "account", id, ...(accountName && { name: accountName }), tokenId, ...agent };
  }
  const row = await one(store.of(ecosystemId).sql.all(subject, { eco: ecosystemId, id }));
  const key = sight === "all" ? (row?.key ?? undefined) : undefined;
  const name = row && (givenName(showMeta(row.meta, DEFAULT_META_PREFIX)) ?? row.alias ?? key);
  return {
    kind: kind === "srv" ? "server" : "user",
    id,
    ...(name && { name }),
    ...(row?.gone_at !== null && { isDeleted: true }),
    tokenId,
  };
}
