/** Large answers as streams: built in slices well under 10 ms, with other work in between (contract 1). */
import { Readable } from "node:stream";
import type { Answer } from "../route.ts";

/** An answer with more items is written as a stream. */
const MOST_AT_ONCE = 1000;
/** A slice ends at so many characters of what has to be serialised, or so many items. */
const SLICE_LENGTH = 64 * 1024;
const SLICE_ITEMS = 500;
/** And at so many of what is JSON already, or is made so once. */
const SLICE_TEXT = 256 * 1024;
const SLICE_TEXTS = 1000;

/** `{"items":[…]}` of items that are JSON already. @param size how many there are at most */
export function itemsAnswer(size: number, texts: Iterable<string>): Answer {
  if (size <= MOST_AT_ONCE) return { status: 200, text: `{"items":[${[...texts].join(",")}]}` };
  return { status: 200, body: Readable.from(textSlices(texts), { objectMode: false }) };
}

/** A JSON object of arrays; those that are undefined are left out. */
export function arraysAnswer(
  arrays: Readonly<Record<string, readonly object[] | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const size = Object.values(arrays).reduce((sum, items) => sum + (items?.length ?? 0), 0);
  const body = size > MOST_AT_ONCE ? Readable.from(slices(arrays), { objectMode: false }) : arrays;
  return { status: 200, body, headers };
}

async function* textSlices(texts: Iterable<string>): AsyncGenerator<string> {
  let slice: string[] = [];
  let length = 0;
  let opening = '{"items":[';
  for (const text of texts) {
    slice.push(text);
    length += text.length;
    if (length < SLICE_TEXT && slice.length < SLICE_TEXTS) continue;
    yield opening + slice.join(",");
    await turn();
    opening = ",";
    slice = [];
    length = 0;
  }
  yield `${slice.length > 0 || opening !== "," ? opening : ""}${slice.join(",")}]}`;
}

async function* slices(arrays: Readonly<Record<string, readonly object[] | undefined>>): AsyncGenerator<string> {
  let text = "";
  let count = 0;
  let opening = "{";
  for (const [name, items] of Object.entries(arrays)) {
    if (!items) continue;
    text += `${opening}"${name}":[`;
    let separator = "";
    for (const item of items) {
      text += separator + JSON.stringify(item);
      separator = ",";
      count += 1;
      if (text.length < SLICE_LENGTH && count < SLICE_ITEMS) continue;
      yield text;
      await turn();
      text = "";
      count = 0;
    }
    text += "]";
    opening = ",";
  }
  yield `${text}}`;
}

/** Lets whatever else waits have its turn of the loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
