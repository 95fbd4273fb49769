/** The history of properties of a device, a zone or an environment: in pages, or as CSV. */
import type { HistoryAggregate, HistoryPage, HistoryResolution, HistorySeries } from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "../transport/collection.ts";
import { type CallOptions, path, type Transport } from "../transport/transport.ts";
import type { Owner } from "./properties.ts";

export interface HistoryFilter {
  /** `YYYY-MM-DD HH:MM:SSZ`; as the service has it when left out. */
  readonly from?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; now when left out. */
  readonly to?: string | undefined;
  /** Change by change (`raw`), or statistics of equal steps. */
  readonly resolution?: HistoryResolution | undefined;
  /** What of each step is told; all that its kind of series has, when left out. */
  readonly aggregate?: readonly HistoryAggregate[] | undefined;
  /** Whose days and months steps of `1d` and `1mo` are: `Europe/Berlin`; UTC when left out. */
  readonly timeZone?: string | undefined;
}

/** Series of the time in `range`. */
export interface HistorySeriesPage
  extends Page<HistorySeries>,
    Pick<HistoryPage, "resolution" | "timeZone" | "range"> {}

const CSV = "text/csv";

/** Its items are series; one whose points do not fit on a page goes on as the first of the next. */
export function historyOf(
  transport: Transport,
  owner: Owner,
  reference: string,
  selector: string,
  filter: HistoryFilter,
  options?: PageOptions,
): Collection<HistorySeries, HistorySeriesPage> {
  return new Collection(transport, pathOf(owner, reference, selector), queryOf(filter), options);
}

/**
 * All of it as one text: a line for each point, under a line of headings. Change by change, a time in which nothing is known is a line with
 * `gapUntil` and `gapReason`, and without a value; no other line has a `gapReason`.
 * @throws PorchlightError
 */
export async function historyCsv(
  transport: Transport,
  owner: Owner,
  reference: string,
  selector: string,
  filter: HistoryFilter,
  options: CallOptions,
): Promise<string> {
  const at = pathOf(owner, reference, selector);
  const headers = { accept: CSV };
  const request = { method: "GET", path: at, query: queryOf(filter), headers, repeat: "read", isText: true } as const;
  return (await transport.send<string>(request, options)).body;
}

function pathOf(owner: Owner, reference: string, selector: string): string {
  return `/api/${owner}${path`/${reference}/services/${selector}/history`}`;
}

function queryOf({ aggregate, ...rest }: HistoryFilter) {
  return { ...rest, aggregate: aggregate?.join(",") };
}
