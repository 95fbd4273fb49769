/** Answers that are lists: small ones at once, large ones as streams whose slices wait for their turn (A1.0.7). */
import { Readable } from "node:stream";
import { listSlices, MOST_ITEMS_AT_ONCE, textSlices, turnByTurn } from "@porchlight/shared/rest";
import type { Answer } from "../../routing/route.ts";

type Turn = () => Promise<void>;

/** `{"items":[…]}` of items that are JSON already. @param turn waits until the next slice can be made */
export function itemsAnswer(texts: Iterable<string>, turn: Turn): Answer {
  const slices = textSlices(texts);
  const first = slices.next().value ?? "";
  const second = slices.next();
  if (second.done) return { status: 200, text: first };
  return { status: 200, body: streamOf(following([first, second.value], slices), turn) };
}

/** A JSON object of texts and arrays; arrays that are undefined are left out. */
export function arraysAnswer(
  arrays: Readonly<Record<string, readonly object[] | undefined>>,
  turn: Turn,
  headers: Readonly<Record<string, string>> = {},
  texts: Readonly<Record<string, string>> = {},
): Answer {
  const size = Object.values(arrays).reduce((sum, items) => sum + (items?.length ?? 0), 0);
  if (size <= MOST_ITEMS_AT_ONCE) return { status: 200, body: { ...texts, ...arrays }, headers };
  return { status: 200, body: streamOf(listSlices(arrays, texts), turn), headers };
}

function* following(made: readonly string[], slices: Iterable<string>): Generator<string> {
  yield* made;
  yield* slices;
}

function streamOf(slices: Iterable<string>, turn: Turn): Readable {
  return Readable.from(turnByTurn(slices, turn), { objectMode: false });
}
