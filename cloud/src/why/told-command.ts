/** A command as `why` tells it: its row, who gave it, and what the hub's journal adds. Pure. */
import { formatTime, type WhyActor, type WhyCommand } from "@porchlight/shared/api";
import type { HubJournalEntry } from "@porchlight/shared/model";
import { commandHops, commandOrigin, commandResource, durationOf } from "../devices/index.ts";
import type { CommandRow } from "../store/index.ts";
import type { JournalSaid } from "./hub-journal.ts";
import type { Sight } from "./senders.ts";
import { framesOfCommand } from "./told-frames.ts";

export interface Around {
  /** By the IDs of tokens. */
  readonly senders: ReadonlyMap<string, WhyActor>;
  readonly journal: JournalSaid;
  readonly sight: Sight;
  /** Wall clock, ms. */
  readonly now: number;
}

type Hops = Readonly<NonNullable<WhyCommand["hops"]>>;

/** The journal keeps what was begun within this time, ms; a little less, because clocks differ. */
const JOURNAL_MS = 23 * 3_600_000;

/** @param sceneId of the scene that gave it */
export function toldCommand(row: CommandRow, { senders, journal, sight, now }: Around, sceneId?: string): WhyCommand {
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

/** With what the hub itself has measured, of a command that the cloud did not wait for, or waited for with others: then it was part of the tunnel's time. */
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

function entryOf(said: JournalSaid, commandId: string): HubJournalEntry | undefined {
  return said.kind === "told" ? said.journal.items.find(({ command }) => command === commandId) : undefined;
}

function journalOf(
  row: CommandRow,
  entry: HubJournalEntry | undefined,
  said: JournalSaid,
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
  const wouldBeThere = said.kind === "told" && !said.journal.isCut && now - row.created_at < JOURNAL_MS;
  // What ended before it was sent is of course not there.
  return wouldBeThere && row.client_id !== null && row.outcome !== "not_sent" && row.state !== "queued"
    ? { journal: { isFound: false } }
    : {};
}
