/** Large answers as streams, small ones at once (A1.0.7). */
import { Readable } from "node:stream";
import { listSlices, MOST_ITEMS_AT_ONCE, textSlices, turnByTurn } from "@porchlight/shared/rest";
import type { Answer } from "../../routing/route.ts";

/** `{"items":[…]}` of items that are JSON already. @param size how many there are at most */
export function itemsAnswer(size: number, texts: Iterable<string>): Answer {
  if (size <= MOST_ITEMS_AT_ONCE) return { status: 200, text: `{"items":[${[...texts].join(",")}]}` };
  return { status: 200, body: streamOf(textSlices(texts)) };
}

/** A JSON object of texts and arrays; arrays that are undefined are left out. */
export function arraysAnswer(
  arrays: Readonly<Record<string, readonly object[] | undefined>>,
  headers: Readonly<Record<string, string>> = {},
  texts: Readonly<Record<string, string>> = {},
): Answer {
  const size = Object.values(arrays).reduce((sum, items) => sum + (items?.length ?? 0), 0);
  const body = size > MOST_ITEMS_AT_ONCE ? streamOf(listSlices(arrays, texts)) : { ...texts, ...arrays };
  return { status: 200, body, headers };
}

function streamOf(slices: Iterable<string>): Readable {
  return Readable.from(turnByTurn(slices), { objectMode: false });
}
