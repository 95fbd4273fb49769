/** Exports the filtered events to a file: all pages of the log, oldest first, up to a documented maximum. */
import type { EventLogFilter, Porchlight, PorchlightEvent } from "@porchlight/sdk";

/** Maximum number of events in a file. */
export const MOST_EXPORTED = 100_000;

export type ExportFormat = "ndjson" | "csv";

interface Exported {
  readonly text: readonly string[];
  readonly count: number;
  /** More events match than the file contains. */
  readonly isCut: boolean;
}

const HEAD = "sequence,id,type,createdAt,ecosystemId,environmentId,data\r\n";

/**
 * Exports the events that are in the log when the export starts; later events are left out.
 * @param onProgress called with the number of events so far, and the searched share of the log
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

/** Quotes a cell by RFC 4180. */
function cellOf(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
