/** The frames on the line behind a command, or behind a value that came without one, as the hub has kept them; or why there are none. Pure. */
import { formatTime, type WhyFrame } from "@porchlight/shared/api";
import { type KeptExchange, type Value, valuesEqual } from "@porchlight/shared/model";
import type { JournalSaid } from "./hub-journal.ts";

/** What is told of the line, and when the hub had it may differ by so much, ms: the hub may have set its clock between the two. */
const SKEW = 5000;

/** All tries of a command, in their order; undefined when the hub has none of it. */
export function framesOfCommand(said: JournalSaid, commandId: string): WhyFrame[] | undefined {
  return told(exchangesOf(said).filter(({ command }) => command === commandId));
}

/**
 * Of a value that the device reported, or that was read from it.
 * @param changedAt wall clock of the hub, ms: when the value became so
 */
export function framesOfValue(
  said: JournalSaid,
  kind: "report" | "read",
  { value, changedAt }: { readonly value: Value; readonly changedAt: number },
): WhyFrame[] | undefined {
  const distance = ({ frames }: KeptExchange) =>
    Math.min(...frames.map(({ at }) => Math.abs(at - changedAt)), Number.POSITIVE_INFINITY);
  const [nearest] = exchangesOf(said)
    .filter((each) => each.kind === kind && each.value !== undefined && valuesEqual(each.value, value))
    .filter((each) => distance(each) <= SKEW)
    .sort((one, other) => distance(one) - distance(other));
  return nearest && told([nearest]);
}

/**
 * Why the hub tells no frames of something that went over its line. Undefined when it was not asked.
 * @param at wall clock, ms: when that was
 */
export function whyNoFrames(said: JournalSaid, at: number): string | undefined {
  if (said.kind !== "told") return undefined;
  const { line } = said.journal;
  if (!line) return "The agent on the hub is too old to keep the frames on the line.";
  if (line.kind === "off") return "The hub is set to keep no frames on the line (frameBytes is 0).";
  if (at < line.since)
    return "The hub was started again since then, and does not have the frames on the line any more.";
  return "The hub has no frames on the line of it: it keeps the newest of its serial lines and network devices only.";
}

function exchangesOf(said: JournalSaid): readonly KeptExchange[] {
  return said.kind === "told" && said.journal.line?.kind === "kept" ? said.journal.line.exchanges : [];
}

/** @param exchanges the newest first */
function told(exchanges: readonly KeptExchange[]): WhyFrame[] | undefined {
  const frames = exchanges.toReversed().flatMap((exchange) => exchange.frames);
  const [first] = frames;
  if (!first) return undefined;
  const after = (at: number) => Math.round(Math.max(0, at - first.at) * 100) / 100;
  return frames.map(({ at, ...frame }) => ({ at: formatTime(at), afterMs: after(at), ...frame }));
}
