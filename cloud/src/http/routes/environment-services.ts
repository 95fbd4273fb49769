/** `/api/environments/:id/services/:selector`: properties of every device of an environment; and how any read of properties is answered. */
import { Readable } from "node:stream";
import { type PropertyItem, propertyList } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import type { Caller, References } from "../../access/index.ts";
import { type CachedProperties, type Devices, type PropertyScope, readPrefer } from "../../devices/index.ts";
import type { Call } from "../call.ts";
import { A_S_U, type Answer, defineRoute, ok, type Route } from "../route.ts";

export interface EnvironmentServiceDeps {
  readonly devices: Devices;
  readonly references: References;
}

/** Query parameters of every read of properties. */
export const READ_QUERY = ["refresh", "maxAge"] as const;

/** An answer with more items is written as a stream. */
const MOST_AT_ONCE = 1000;
/** A slice of a stream ends at so many characters, or so many items: well under 10 ms of work. */
const SLICE_LENGTH = 64 * 1024;
const SLICE_ITEMS = 500;
const LONGEST_AGE = 86_400;

export function environmentServiceRoutes({ devices, references }: EnvironmentServiceDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/environments/:id/services/:selector",
      summary: "Read properties of all devices of an environment",
      tokens: A_S_U,
      query: READ_QUERY,
      answers: { 200: propertyList },
      errors: [
        "Environment Invalid",
        "Environment Not Found",
        "Access Denied",
        "Query Parameter Invalid",
        "Service Not Found",
        "Service Property Invalid",
      ],
      handle: async (call) => {
        const asked = readAsked(call);
        const { ecosystemId, id } = await references.resolve(call.caller, "env", call.params.id);
        return answerProperties(devices, call, { ecosystemId, environmentId: id }, call.params.selector, asked);
      },
    }),
  ];
}

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
  if (asked.kind === "cached") return itemsAnswer(await devices.cached(scope, selector));
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const { tokenId } = call.caller;
  const { maxAgeMs } = asked;
  const answer = await devices.refreshed(scope, { selector, maxAgeMs, waitMs, tokenId, signal: call.signal });
  const { items, failures } = answer;
  const headers = { ...(applied !== undefined && { "preference-applied": applied }) };
  const size = items.length + (failures?.length ?? 0);
  const body = size > MOST_AT_ONCE ? streamed({ items, ...(failures && { failures }) }) : answer;
  return { status: 200, body, headers };
}

function itemsAnswer({ size, items }: CachedProperties): Answer {
  return size > MOST_AT_ONCE ? ok(streamed({ items })) : ok({ items: [...items] });
}

/** A JSON object of arrays as a stream of slices, with other work in between. */
function streamed(arrays: Readonly<Record<string, Iterable<PropertyItem | object>>>): Readable {
  return Readable.from(slices(arrays), { objectMode: false });
}

async function* slices(arrays: Readonly<Record<string, Iterable<object>>>): AsyncGenerator<string> {
  let text = "";
  let count = 0;
  let opening = "{";
  for (const [name, items] of Object.entries(arrays)) {
    text += `${opening}"${name}":[`;
    let separator = "";
    for (const item of items) {
      text += separator + JSON.stringify(item);
      separator = ",";
      count += 1;
      if (text.length < SLICE_LENGTH && count < SLICE_ITEMS) continue;
      yield text;
      await new Promise<void>((resolve) => setImmediate(resolve));
      text = "";
      count = 0;
    }
    text += "]";
    opening = ",";
  }
  yield `${text}}`;
}
