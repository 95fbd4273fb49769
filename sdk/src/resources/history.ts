/** The history of properties of a device, a zone or an environment: in pages, or as CSV. */
import type {
  HistoryAggregate,
  HistoryPage,
  HistoryResolution,
  HistorySeries,
  PropertyItem,
  PropertyList,
} from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "../transport/collection.ts";
import { type CallOptions, path, type Transport } from "../transport/transport.ts";

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

/** Properties of a device, a zone or an environment: read from memory, read afresh, and set. */
export interface ReadOptions extends CallOptions {
  /** Ask the devices now, rather than give what was last known. */
  readonly refresh?: boolean | undefined;
  /** Ask only for what was not observed within so many seconds. */
  readonly maxAge?: number | undefined;
  /** How long to wait for devices, seconds, 1 to 60; 10 when left out. */
  readonly wait?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** How long to wait for devices, seconds, 1 to 60; 10 when left out. */
  readonly wait?: number | undefined;
}

/** A property as its device has confirmed it, and the command that brought it there. */
export interface Confirmed {
  readonly item: PropertyItem;
  readonly commandId: string;
  /** When it was asked for: milliseconds of each hop by its name, in order, `total` last. */
  readonly timing?: Readonly<Record<string, number>> | undefined;
}

export type Owner = "devices" | "zones" | "environments";

/** An answer on its way is given so much longer than the devices have, ms. */
const ON_THE_WAY = 5000;
const LONGEST_WAIT = 60;

/** Without `refresh` and `maxAge` no device is asked. */
export async function readProperties(
  transport: Transport,
  owner: Owner,
  reference: string,
  selector: string,
  options: ReadOptions,
): Promise<PropertyList> {
  const { refresh, maxAge } = options;
  const query = { refresh, maxAge };
  const headers = { prefer: preference(options.wait) };
  const at = `/api/${owner}${path`/${reference}/services/${selector}`}`;
  const request = { method: "GET", path: at, query, headers, repeat: "read" } as const;
  return (await transport.send<PropertyList>(request, patient(transport, options))).body;
}

/** @param body `value`, and for a virtual device `report` */
export function writeProperties<T>(
  transport: Transport,
  owner: Owner,
  reference: string,
  selector: string,
  body: { readonly value: unknown; readonly report?: true },
  options: WriteOptions & { readonly trace?: boolean | undefined },
): Promise<{ readonly body: T; readonly headers: Headers }> {
  const headers = { prefer: preference(options.wait), "x-porchlight-trace": options.trace ? "1" : undefined };
  const at = `/api/${owner}${path`/${reference}/services/${selector}`}`;
  return transport.send<T>({ method: "PUT", path: at, body, headers, repeat: "keyed" }, patient(transport, options));
}

/** How long to wait for devices, as a header says it. */
export function preference(wait: number | undefined): string | undefined {
  return wait === undefined ? undefined : `wait=${wait}`;
}

/** A try takes no shorter than the devices are given. */
export function patient<O extends ReadOptions>(transport: Transport, options: O): O {
  const devices = Math.min(options.wait ?? 10, LONGEST_WAIT) * 1000 + ON_THE_WAY;
  return { ...options, timeoutMs: options.timeoutMs ?? Math.max(transport.settings.timeoutMs, devices) };
}
