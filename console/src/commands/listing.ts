/** Lists: fetches pages until there are enough items, and shows them in the requested form, with the columns that several tables share. */
import type { Collection } from "@porchlight/sdk";
import type { Column } from "../render/table.ts";
import type { Args, Option } from "../session/args.ts";
import type { Context } from "../session/command.ts";
import { type Fields, WHERE, Where } from "../session/where.ts";

export const ID: Column = { heading: "id", path: "id", isWhole: true };
export const ALIAS: Column = { heading: "alias", path: "alias" };
export const CREATED: Column = { heading: "created", path: "createdAt", isExtra: true };
/** Columns of properties, for one or several devices. */
export const PROPERTY_COLUMNS: readonly Column[] = [
  { heading: "device", path: "deviceId", isWhole: true },
  { heading: "service", path: "service" },
  { heading: "index", path: "index" },
  { heading: "property", path: "property" },
  { heading: "value", path: "value" },
  { heading: "observed", path: "observedAt" },
];

export const LIMIT: Option = {
  name: "limit",
  value: "N",
  summary: "At most this many rows (all)",
  number: [1, 1_000_000],
};

/** For a log, which the API lists from its beginning. */
const LAST: Option = {
  name: "last",
  value: "N",
  summary: "Only this many of the newest (all)",
  number: [1, 1_000_000],
};

/** Options of a list for {@link showAll}. */
export const LISTING: readonly Option[] = [WHERE, LIMIT];

/** Options of a log for {@link showLast}. */
export const LOG: readonly Option[] = [WHERE, LAST];

/** Maximum number of items on a page. */
const PAGE = 1000;

/** Number of items per page, so that no more are fetched than shown; a full page without a limit, or when rows are filtered. */
export function pageSizeOf(args: Args): { readonly pageSize?: number } {
  const limit = args.number("limit");
  return limit === undefined || limit >= PAGE || args.all(WHERE.name).length > 0 ? {} : { pageSize: limit + 1 };
}

/** Description of a list's rows. */
interface Listed {
  readonly columns: readonly Column[];
  /** Fields of the rows, for `--where`. */
  readonly fields: Fields;
  /** Plural noun, for messages about the list. */
  readonly noun: string;
}

/** Shows a collection. @throws UsageError for an invalid condition */
export async function showAll(
  { output }: Context,
  args: Args,
  collection: Collection<object>,
  { columns, fields, noun }: Listed,
): Promise<void> {
  const where = new Where(args, fields);
  const limit = args.number("limit") ?? Number.POSITIVE_INFINITY;
  const items: object[] = [];
  let isCut = false;
  for await (const item of collection) {
    if (!where.holds(item)) continue;
    isCut = items.length >= limit;
    if (isCut) break;
    items.push(item);
  }
  output.list(columns, items);
  if (isCut) output.note(`The first ${limit} ${noun}: there are more.`);
}

/** Shows the end of a log, oldest first. @throws UsageError for an invalid condition */
export async function showLast(
  { output }: Context,
  args: Args,
  collection: Collection<object>,
  { columns, fields }: Omit<Listed, "noun">,
): Promise<void> {
  const where = new Where(args, fields);
  const last = args.number("last");
  let items: readonly object[] = [];
  // Page by page, so that memory holds only the shown items and one page.
  for await (const page of collection.pages())
    items = [...items, ...where.of(page.items)].slice(last === undefined ? 0 : -last);
  output.list(columns, items);
}
