/** The filtered events as a file: all pages of the log, oldest first, up to a bound that is said. */
import type { EventLogFilter, Porchlight, PorchlightEvent } from "@porchlight/sdk";

/** Events of a file at the most. */
export const MOST_EXPORTED = 100_000;

export type ExportFormat = "ndjson" | "csv";

export interface Exported {
  readonly text: readonly string[];
  readonly count: number;
  /** There are more that match. */
  readonly isCut: boolean;
}

const HEAD = "sequence,id,type,createdAt,ecosystemId,environmentId,data\r\n";

/**
 * What the log has of it at the beginning of the export: what happens meanwhile is left out.
 * @param onProgress told how many there are so far, and how far the log has been looked through
 * @throws PorchlightError; the signal's reason
 */
export async function exportEvents(
  api: Pick<Porchlight, "eventLog">,
  asked: {
    readonly filter: EventLogFilter;
    readonly format: ExportFormat;
    readonly signal: AbortSignal;
    readonly most?: number;
  },
  onProgress: (count: number, share: number) => void,
): Promise<Exported> {
  const { filter, format, signal, most = MOST_EXPORTED } = asked;
  const text: string[] = format === "csv" ? [HEAD] : [];
  let count = 0;
  let end: number | undefined;
  let begin: number | undefined;
  for await (const { items, range, log } of api.eventLog({ ...filter, order: "oldest" }, { signal }).pages()) {
    signal.throwIfAborted();
    begin ??= range.first;
    end ??= log.newest;
    for (const event of items) {
      if (event.sequence > end) return { text, count, isCut: false };
      if (count === most) return { text, count, isCut: true };
      text.push(lineOf(event, format));
      count += 1;
    }
    onProgress(count, Math.min(1, (range.last - begin + 1) / Math.max(1, end - begin + 1)));
    if (range.last >= end) break;
  }
  return { text, count, isCut: false };
}

function lineOf(event: PorchlightEvent, format: ExportFormat): string {
  if (format === "ndjson") return `${JSON.stringify(event)}\n`;
  const { sequence, id, type, createdAt, ecosystemId, environmentId = "", data } = event;
  const cells = [String(sequence), id, type, createdAt, ecosystemId, environmentId, JSON.stringify(data)];
  return `${cells.map(cellOf).join(",")}\r\n`;
}

/** RFC 4180. */
function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
