/** The history of properties of a device, a zone or an environment: in pages, or as CSV. */
import type {
  HistoryAggregate,
  HistoryPage,
  HistoryResolution,
  HistorySeries,
  PropertyItem,
  PropertyList,
} from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "../collection.ts";
import { type CallOptions, path, type Transport } from "../transport.ts";

export interface HistoryFilter {
  /** `YYYY-MM-DD HH:MM:SSZ`; the service's default when omitted. */
  readonly from?: string | undefined;
  /** `YYYY-MM-DD HH:MM:SSZ`; now when omitted. */
  readonly to?: string | undefined;
  /** Single changes (`raw`), or statistics of equal steps. */
  readonly resolution?: HistoryResolution | undefined;
  /** Aggregates of each step; all that the kind of series has, when omitted. */
  readonly aggregate?: readonly HistoryAggregate[] | undefined;
  /** Time zone of the steps `1d` and `1mo`: `Europe/Berlin`; UTC when omitted. */
  readonly timeZone?: string | undefined;
}

/** Series of the time `range`. */
export interface HistorySeriesPage
  extends Page<HistorySeries>,
    Pick<HistoryPage, "resolution" | "timeZone" | "range"> {}

const CSV = "text/csv";

/** The items are series; a series whose points do not fit on a page continues as the first item of the next. */
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
 * The complete history as CSV: a heading line, then a line for each point. With `raw`, a gap is a line with `gapUntil` and `gapReason`
 * and without a value; no other line has a `gapReason`.
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

export interface ReadOptions extends CallOptions {
  /** Ask the devices now instead of returning the last known values. */
  readonly refresh?: boolean | undefined;
  /** Ask only for values whose last observation is older than this, seconds. */
  readonly maxAge?: number | undefined;
  /** How long to wait for devices, seconds, 1 to 60; 10 when omitted. */
  readonly wait?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** How long to wait for devices, seconds, 1 to 60; 10 when omitted. */
  readonly wait?: number | undefined;
}

/** A property as its device confirmed it, with the command that set it. */
export interface Confirmed {
  readonly item: PropertyItem;
  readonly commandId: string;
  /** Present on request: milliseconds of each hop by name, in order, `total` last. */
  readonly timing?: Readonly<Record<string, number>> | undefined;
}

export type Owner = "devices" | "zones" | "environments";

/** Time for the transfer of an answer, in addition to the devices' time, ms. */
const ON_THE_WAY = 5000;
const LONGEST_WAIT = 60;

/** Asks no device when both `refresh` and `maxAge` are omitted. */
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

/** The `prefer` header for this wait. */
export function preference(wait: number | undefined): string | undefined {
  return wait === undefined ? undefined : `wait=${wait}`;
}

/** Extends the time limit of a try to cover the time that the devices have. */
export function patient<O extends ReadOptions>(transport: Transport, options: O): O {
  const devices = Math.min(options.wait ?? 10, LONGEST_WAIT) * 1000 + ON_THE_WAY;
  return { ...options, timeoutMs: options.timeoutMs ?? Math.max(transport.settings.timeoutMs, devices) };
}
