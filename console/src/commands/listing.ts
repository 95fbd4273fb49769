/** Lists: pages fetched until there are enough, shown as whoever reads wants them. */
import type { Collection } from "@porchlight/sdk";
import type { Column } from "../render/table.ts";
import type { Args } from "../session/args.ts";
import type { Option } from "../session/command.ts";
import type { Context } from "../session/context.ts";

export const LIMIT: Option = {
  name: "limit",
  value: "N",
  summary: "No more than so many; all when left out",
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
