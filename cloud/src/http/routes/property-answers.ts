/** How any read or wide write of properties is asked for and answered, whether of a device, a zone or an environment (contract 2, 3). */
import { NamedError } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import type { Caller } from "../../access/index.ts";
import { type Devices, type PropertyScope, readPrefer } from "../../devices/index.ts";
import type { Call } from "../call.ts";
import type { Answer } from "../route.ts";
import { arraysAnswer, itemsAnswer } from "./large-answers.ts";

/** Query parameters of every read of properties. */
export const READ_QUERY = ["refresh", "maxAge"] as const;

const LONGEST_AGE = 86_400;

/** What a read of properties asks for. */
export type ReadAsked = { readonly kind: "cached" } | { readonly kind: "refresh"; readonly maxAgeMs?: number };

/** @throws "Query Parameter Invalid" */
export function readAsked<P extends string>(call: Call<Caller, undefined, P>): ReadAsked {
  const { refresh, maxAge } = call.query;
  if (refresh !== undefined && refresh !== "true" && refresh !== "false")
    throw new NamedError("Query Parameter Invalid", "`refresh` is `true` or `false`.");
  if (maxAge !== undefined) {
    const seconds = /^\d{1,5}$/.test(maxAge) ? Number(maxAge) : Number.POSITIVE_INFINITY;
    if (seconds > LONGEST_AGE)
      throw new NamedError(
        "Query Parameter Invalid",
        `\`maxAge\` is a whole number of seconds from 0 to ${LONGEST_AGE}.`,
      );
    return { kind: "refresh", maxAgeMs: seconds * 1000 };
  }
  return refresh === "true" ? { kind: "refresh" } : { kind: "cached" };
}

export async function answerProperties<P extends string>(
  devices: Devices,
  call: Call<Caller, undefined, P>,
  scope: PropertyScope,
  selector: string,
  asked: ReadAsked,
): Promise<Answer> {
  if (asked.kind === "cached") {
    const { size, texts } = await devices.cached(scope, selector);
    return itemsAnswer(size, texts);
  }
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const { tokenId } = call.caller;
  const { maxAgeMs } = asked;
  const answer = await devices.refreshed(scope, { selector, maxAgeMs, waitMs, tokenId, signal: call.signal });
  return arraysAnswer({ ...answer }, preferenceApplied(applied));
}

/** Sets a property wherever the scope has it. */
export async function answerWideWrite<P extends string, B extends { readonly value: Value }>(
  devices: Devices,
  call: Call<Caller, B, P>,
  scope: PropertyScope,
  selector: string,
): Promise<Answer> {
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const { tokenId } = call.caller;
  const { value } = call.body;
  const answer = await devices.setAll(scope, { selector, value, waitMs, tokenId, keeper: call.attempt });
  return arraysAnswer({ ...answer }, preferenceApplied(applied));
}

/** The header that tells what was honoured of `prefer`. */
export function preferenceApplied(applied: string | undefined): Readonly<Record<string, string>> {
  return applied === undefined ? {} : { "preference-applied": applied };
}
