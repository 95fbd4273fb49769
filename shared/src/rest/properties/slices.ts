/** Writes large answers as text in slices well under 10 ms, so that other work can run in between (A1.0.7). */
import { nextTurn } from "../../kernel/index.ts";

/** An answer with more items is written in slices. */
export const MOST_ITEMS_AT_ONCE = 1000;
/** Characters and items after which a slice of objects ends: each has to be serialised. */
const SLICE_LENGTH = 64 * 1024;
const SLICE_ITEMS = 500;
/** Characters and items after which a slice of ready JSON texts ends. */
const SLICE_TEXT = 256 * 1024;
const SLICE_TEXTS = 1000;

/** `{"items":[…]}` of items that are already JSON. */
export function* textSlices(texts: Iterable<string>): Generator<string> {
  let slice: string[] = [];
  let length = 0;
  let opening = '{"items":[';
  for (const text of texts) {
    slice.push(text);
    length += text.length;
    if (length < SLICE_TEXT && slice.length < SLICE_TEXTS) continue;
    yield opening + slice.join(",");
    opening = ",";
    slice = [];
    length = 0;
  }
  yield `${slice.length > 0 || opening !== "," ? opening : ""}${slice.join(",")}]}`;
}

/** A JSON object of texts and lists; undefined lists are left out. */
export function* listSlices(
  lists: Readonly<Record<string, Iterable<object> | undefined>>,
  texts: Readonly<Record<string, string>> = {},
): Generator<string> {
  let text = JSON.stringify(texts).slice(0, -1);
  let count = 0;
  let opening = text === "{" ? "" : ",";
  for (const [name, items] of Object.entries(lists)) {
    if (!items) continue;
    text += `${opening}"${name}":[`;
    let separator = "";
    for (const item of items) {
      text += separator + JSON.stringify(item);
      separator = ",";
      count += 1;
      if (text.length < SLICE_LENGTH && count < SLICE_ITEMS) continue;
      yield text;
      text = "";
      count = 0;
    }
    text += "]";
    opening = ",";
  }
  yield `${text}}`;
}

/** The slices, with a wait after each. @param turn waits until the next slice may be made; one turn of the event loop when omitted */
export async function* turnByTurn(slices: Iterable<string>, turn = nextTurn): AsyncGenerator<string> {
  for (const slice of slices) {
    yield slice;
    await turn();
  }
}
