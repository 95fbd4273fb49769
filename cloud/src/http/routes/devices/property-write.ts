/** How a property of one device is set (A4): waited for, or, as `prefer: respond-async` asks, given and answered at once. */

import { propertyUpdate, wideUpdate } from "@porchlight/shared/api";
import { serverTiming, type TimingBreakdown } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import {
  preferenceApplied,
  prefersAsync,
  readPrefer,
  readReport,
  readTtl,
  readValue,
  requireNoTtl,
} from "@porchlight/shared/rest";
import type { Caller } from "../../../access/index.ts";
import { asUnavailable, type Devices, type PropertyScope, type SetPropertyRequest } from "../../../devices/index.ts";
import type { BodyRule } from "../../routing/body-rules.ts";
import type { Call } from "../../routing/call.ts";
import type { Answer } from "../../routing/route.ts";

/** How long a command counts whose caller says nothing, seconds. */
const DEFAULT_TTL = 60;

/** @param find the device that the path names, once the body has been read */
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
    // An earlier attempt with the key may have been sent.
    throw keeper ? error : asUnavailable(error, "not_sent");
  });
  const request = { ...scope, selector, value, reportBy, waitMs, tokenId, requestId, origin, keeper };
  if (!isAsync) {
    // Whole ms: the command's expiry is stored.
    const left = Math.floor(waitMs - call.waitedMs);
    const set = (hops: TimingBreakdown | undefined) => devices.set({ ...request, waitMs: left, hops });
    const { item, commandId } = await traced(devices, call, set);
    return { status: 200, body: item, headers: { "x-command-id": commandId, ...preferenceApplied(applied) } };
  }
  const given = await devices.defer({
    ...request,
    // Together with `wait` it waits so long for the end all the same.
    waitMs: applied === undefined ? 0 : waitMs,
    ttlMs: (ttl ?? DEFAULT_TTL) * 1000,
  });
  const honoured = applied === undefined ? "respond-async" : `respond-async, ${applied}`;
  const headers = { "x-command-id": given.commandId, ...preferenceApplied(honoured) };
  if (given.kind === "done") return { status: 200, body: given.item, headers };
  return { status: 202, body: given.command, headers: { location: `/api/commands/${given.commandId}`, ...headers } };
}

/** What is kept of the request that gives a command, beside its ID. */
export function requestOrigin(call: Pick<Call, "address" | "header">): SetPropertyRequest["origin"] {
  return { address: call.address, idempotencyKey: call.header("idempotency-key") };
}

/** Says where the time went, hop by hop, when the caller asks: also of what failed. */
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

/** Bodies of property writes, checked without their schemas: they are read thousands of times a second. */
interface PropertyBody {
  readonly value: Value;
  /** As the device's own sensor would tell it. */
  readonly report: boolean;
  /** Seconds. */
  readonly ttl: number | undefined;
}

/** Of one property of one device. */
export const PROPERTY_BODY: BodyRule<PropertyBody> = {
  schema: propertyUpdate,
  check: (raw) => ({
    value: readValue(raw, ["report", "ttlSeconds"]),
    report: readReport(raw.report),
    ttl: readTtl(raw.ttlSeconds),
  }),
};

/** Of a property of many devices. */
export const WIDE_BODY: BodyRule<{ readonly value: Value }> = {
  schema: wideUpdate,
  check: (raw) => ({ value: readValue(raw, []) }),
};
