/** Reads and wide writes of properties, for a device, a zone or an environment: request and answer (A2, A3). */

import { Readable } from "node:stream";
import type { Value } from "@porchlight/shared/model";
import {
  listSlices,
  MOST_ITEMS_AT_ONCE,
  preferenceApplied,
  type ReadAsked,
  readPrefer,
  textSlices,
  turnByTurn,
} from "@porchlight/shared/rest";
import type { Caller } from "../../../access/index.ts";
import type { Devices, PropertyScope } from "../../../devices/index.ts";
import type { Call } from "../../routing/call.ts";
import type { Answer } from "../../routing/route.ts";
import { requestOrigin } from "./property-write.ts";

export async function answerProperties<P extends string>(
  devices: Devices,
  call: Call<Caller, undefined, P>,
  scope: PropertyScope,
  selector: string,
  asked: ReadAsked,
): Promise<Answer> {
  if (asked.kind === "cached") {
    const { texts } = await devices.cached(scope, selector);
    return itemsAnswer(texts, () => call.turn());
  }
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const { tokenId } = call.caller;
  const { maxAgeMs } = asked;
  const answer = await devices.refreshed(scope, { selector, maxAgeMs, waitMs, tokenId, signal: call.signal });
  return arraysAnswer({ ...answer }, () => call.turn(), preferenceApplied(applied));
}

/** Sets a property on every device of the scope that has it. */
export async function answerWideWrite<P extends string, B extends { readonly value: Value }>(
  devices: Devices,
  call: Call<Caller, B, P>,
  scope: PropertyScope,
  selector: string,
): Promise<Answer> {
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const { caller, body, requestId, attempt: keeper } = call;
  const request = { value: body.value, tokenId: caller.tokenId, requestId, origin: requestOrigin(call), keeper };
  const answer = await devices.setAll(scope, { selector, waitMs, ...request });
  return arraysAnswer({ ...answer }, () => call.turn(), preferenceApplied(applied));
}

/** Waits for the next turn: small lists are answered at once, large ones as streams whose slices take turns (A1.0.7). */
type Turn = () => Promise<void>;

/** `{"items":[…]}` from items that are JSON texts. @param turn resolves when the next slice may be made */
export function itemsAnswer(texts: Iterable<string>, turn: Turn): Answer {
  const slices = textSlices(texts);
  const first = slices.next().value ?? "";
  const second = slices.next();
  if (second.done) return { status: 200, text: first };
  return { status: 200, body: streamOf(following([first, second.value], slices), turn) };
}

/** A JSON object of texts and arrays; undefined arrays are left out. */
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
