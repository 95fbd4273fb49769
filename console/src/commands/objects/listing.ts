/** Lists: pages fetched until there are enough, shown as the reader wants them. */
import type { Collection } from "@porchlight/sdk";
import type { Column } from "../../render/table.ts";
import type { Args } from "../../session/args.ts";
import type { Option } from "../../session/command.ts";
import type { Context } from "../../session/context.ts";

export const LIMIT: Option = {
  name: "limit",
  value: "N",
  summary: "No more than so many; all when left out",
  number: [1, 1_000_000],
};

/** Of a log, which the API tells from its beginning. */
export const LAST: Option = {
  name: "last",
  value: "N",
  summary: "Only the newest so many; all when left out",
  number: [1, 1_000_000],
};

/** What a page holds at the most. */
const PAGE = 1000;

/** Items a page, so that no more is fetched than is asked for; all that a page holds without a limit. */
export function pageSizeOf(args: Args): { readonly pageSize?: number } {
  const limit = args.number("limit");
  return limit === undefined || limit >= PAGE ? {} : { pageSize: limit + 1 };
}

/** Shows a collection. @param noun in the plural, for what is said beside it */
export async function showAll(
  { output }: Context,
  args: Args,
  collection: Collection<object>,
  columns: readonly Column[],
  noun: string,
): Promise<void> {
  const limit = args.number("limit") ?? Number.POSITIVE_INFINITY;
  const items: object[] = [];
  let isCut = false;
  for await (const item of collection) {
    isCut = items.length >= limit;
    if (isCut) break;
    items.push(item);
  }
  output.list(columns, items);
  if (isCut) output.note(`The first ${limit} ${noun}: there are more.`);
}

/** Shows the end of a log, oldest first. */
export async function showLast(
  { output }: Context,
  args: Args,
  collection: Collection<object>,
  columns: readonly Column[],
): Promise<void> {
  const last = args.number("last");
  let items: readonly object[] = [];
  // Page by page, so that no more is held than is shown and one page.
  for await (const page of collection.pages())
    items = last === undefined ? [...items, ...page.items] : [...items, ...page.items].slice(-last);
  output.list(columns, items);
}
