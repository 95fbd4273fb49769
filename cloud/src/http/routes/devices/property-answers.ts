/** How any read or wide write of properties is asked for and answered, whether of a device, a zone or an environment (A2, A3). */
import type { Value } from "@porchlight/shared/model";
import { preferenceApplied, type ReadAsked, readPrefer } from "@porchlight/shared/rest";
import type { Caller } from "../../../access/index.ts";
import type { Devices, PropertyScope } from "../../../devices/index.ts";
import type { Call } from "../../routing/call.ts";
import type { Answer } from "../../routing/route.ts";
import { arraysAnswer, itemsAnswer } from "./large-answers.ts";
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

/** Sets a property wherever the scope has it. */
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
