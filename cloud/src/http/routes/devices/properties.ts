/** Properties read and written, for a device, a zone or an environment: request and answer (A2, A3, A4). */
import { Readable } from "node:stream";
import { propertyUpdate, wideUpdate } from "@porchlight/shared/api";
import { serverTiming, type TimingBreakdown } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import {
  listSlices,
  MOST_ITEMS_AT_ONCE,
  preferenceApplied,
  prefersAsync,
  type ReadAsked,
  readPrefer,
  readReport,
  readTtl,
  readValue,
  requireNoTtl,
  textSlices,
  turnByTurn,
} from "@porchlight/shared/rest";
import type { Caller } from "../../../access/index.ts";
import { asUnavailable, type Devices, type PropertyScope, type SetPropertyRequest } from "../../../devices/index.ts";
import type { BodyRule } from "../../routing/body-rules.ts";
import type { Call } from "../../routing/call.ts";
import type { Answer } from "../../routing/route.ts";

/** Reads and wide writes of properties, for a device, a zone or an environment: request and answer (A2, A3). */
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

/** Default lifetime of a command, seconds. */
const DEFAULT_TTL = 60;

/**
 * Sets a property of one device: waits for the result or, with `prefer: respond-async`, answers at once.
 * @param find resolves the device of the path, after the body has been read
 */
export async function answerWrite<P extends string>(
  devices: Devices,
  call: Call<Caller, PropertyBody, P>,
  selector: string,
  find: () => Promise<PropertyScope & { readonly deviceId: string }>,
): Promise<Answer> {
  const prefer = call.header("prefer");
  const { waitMs, applied } = readPrefer(prefer);
  const { value, report, ttl } = call.body;
  const isAsync = prefersAsync(prefer);
  if (!isAsync) requireNoTtl(ttl);
  const { tokenId, kind } = call.caller;
  const reportBy = report ? kind : undefined;
  const { requestId, attempt: keeper } = call;
  const origin = requestOrigin(call);
  const scope = await find().catch((error: unknown) => {
    // An earlier attempt with the same key may have sent a command.
    throw keeper ? error : asUnavailable(error, "not_sent");
  });
  const request = { ...scope, selector, value, reportBy, waitMs, tokenId, requestId, origin, keeper };
  if (!isAsync) {
    // Whole ms, because the command's expiry is stored.
    const left = Math.floor(waitMs - call.waitedMs);
    const set = (hops: TimingBreakdown | undefined) => devices.set({ ...request, waitMs: left, hops });
    const { item, commandId } = await traced(devices, call, set);
    return { status: 200, body: item, headers: { "x-command-id": commandId, ...preferenceApplied(applied) } };
  }
  const given = await devices.defer({
    ...request,
    // Together with `wait` it still waits so long for the result.
    waitMs: applied === undefined ? 0 : waitMs,
    ttlMs: (ttl ?? DEFAULT_TTL) * 1000,
  });
  const honoured = applied === undefined ? "respond-async" : `respond-async, ${applied}`;
  const headers = { "x-command-id": given.commandId, ...preferenceApplied(honoured) };
  if (given.kind === "done") return { status: 200, body: given.item, headers };
  return { status: 202, body: given.command, headers: { location: `/api/commands/${given.commandId}`, ...headers } };
}

/** The facts about a request that are stored with its command, besides the ID. */
export function requestOrigin(call: Pick<Call, "address" | "header">): SetPropertyRequest["origin"] {
  return { address: call.address, idempotencyKey: call.header("idempotency-key") };
}

/** Reports the time of each hop on request, also for a failure. */
function traced<T>(
  devices: Devices,
  call: Pick<Call, "header" | "elapsedMs" | "tell">,
  set: (hops: TimingBreakdown | undefined) => Promise<T>,
): Promise<T> {
  return call.header("x-porchlight-trace") === "1" ? withHops(devices, call, set) : set(undefined);
}

async function withHops<T>(
  devices: Devices,
  call: Pick<Call, "elapsedMs" | "tell">,
  set: (hops: TimingBreakdown | undefined) => Promise<T>,
): Promise<T> {
  const access = call.elapsedMs;
  const hops = devices.hops();
  try {
    return await set(hops);
  } finally {
    call.tell("server-timing", serverTiming({ access, ...hops.ms, total: call.elapsedMs }));
  }
}

/** Body of a property write. Checked without its schema, because thousands arrive each second. */
interface PropertyBody {
  readonly value: Value;
  /** Whether the value is a report, as from the device's own sensor. */
  readonly report: boolean;
  /** Lifetime of the command, seconds. */
  readonly ttl: number | undefined;
}

/** For one property of one device. */
export const PROPERTY_BODY: BodyRule<PropertyBody> = {
  schema: propertyUpdate,
  check: (raw) => ({
    value: readValue(raw, ["report", "ttlSeconds"]),
    report: readReport(raw.report),
    ttl: readTtl(raw.ttlSeconds),
  }),
};

/** For a property of many devices. */
export const WIDE_BODY: BodyRule<{ readonly value: Value }> = {
  schema: wideUpdate,
  check: (raw) => ({ value: readValue(raw, []) }),
};
