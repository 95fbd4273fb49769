/** `/api/event-log`: stored events, in pages (A6.4); and `/api/events`, the stream of new ones. */

import { Readable } from "node:stream";
import { eventPage, parseTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { PAGING, readStreamWish, readTypes, STREAM_HEADERS, STREAM_MEDIA, STREAM_QUERY } from "@porchlight/shared/rest";
import { type Authenticator, type Caller, type References, reach, referenceNotFound } from "../../../access/index.ts";
import type { EventLog, LogPlace, Streams } from "../../../streams/index.ts";
import type { Pager } from "../../routing/page.ts";
import { A_S_U, type Answer, defineRoute, type Route } from "../../routing/route.ts";

export interface EventLogRouteDeps {
  readonly eventLog: EventLog;
  readonly references: References;
  readonly pager: Pager;
}

export function eventLogRoutes({ eventLog, references, pager }: EventLogRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/event-log",
      operationId: "listEventLog",
      tag: "events",
      summary: "List the stored events",
      tokens: A_S_U,
      query: [
        ...[...PAGING, "order", "ecosystemId", "environmentId", "deviceId", "types"],
        ...["since", "until", "after", "before"],
      ],
      answers: { 200: eventPage },
      errors: [
        "Query Parameter Invalid",
        "Ecosystem Missing",
        "Ecosystem Invalid",
        "Ecosystem Not Found",
        "Environment Invalid",
        "Environment Not Found",
        "Device Invalid",
        "Device Not Found",
        "Access Denied",
      ],
      handle: async (call) => {
        const { query, caller } = call;
        const asked = pager.read(call);
        const types = readTypes(query.types);
        const bounds = {
          since: readTime("since", query.since),
          until: readTime("until", query.until),
          after: readSequence("after", query.after),
          before: readSequence("before", query.before),
        };
        const device =
          query.deviceId === undefined ? undefined : await references.resolve(caller, "dev", query.deviceId);
        const isNamed = query.ecosystemId !== undefined || query.environmentId !== undefined;
        // A device's reference determines its ecosystem.
        const { ecosystemId, environmentId } =
          device && !isNamed
            ? { ecosystemId: device.ecosystemId, environmentId: undefined }
            : await placeOf(references, caller, query);
        if (device && device.ecosystemId !== ecosystemId) throw referenceNotFound("dev");
        const place = asked.after === "" ? await eventLog.begin(ecosystemId, bounds) : readPlace(asked.after);
        const scope = { ecosystemId, environmentId, types, deviceId: device?.id };
        const { order, size, turn } = asked;
        return pager.make(asked, async (items) => {
          const page = await eventLog.page(caller, { ...scope, order, size, bytes: items.bytes, turn }, place);
          items.addEncoded(page.events.map(({ json }) => json));
          const { range, log, next } = page;
          const token = next && { continuationToken: pager.token(asked, JSON.stringify(next)) };
          return items.answer({ ...token, range, log });
        });
      },
    }),
  ];
}

/** Parses a place that this route has sealed. */
function readPlace(text: string): LogPlace {
  return JSON.parse(text) as LogPlace;
}

/** Wall clock, ms. @throws "Query Parameter Invalid" */
export function readTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new NamedError("Query Parameter Invalid", `\`${name}\` must be a time such as 2026-11-05 14:03:07Z.`);
}

/** @throws "Query Parameter Invalid" */
function readSequence(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sequence = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(sequence)) return sequence;
  throw new NamedError("Query Parameter Invalid", `\`${name}\` must be the \`sequence\` of an event, a whole number.`);
}

/** Dependencies of `/api/events`: events as server-sent events (A6). */
export interface EventRouteDeps {
  readonly streams: Streams;
  readonly references: References;
  readonly authenticator: Authenticator;
}

export function eventRoutes({ streams, references, authenticator }: EventRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/events",
      operationId: "listEvents",
      tag: "events",
      summary: "Stream events as server-sent events",
      tokens: A_S_U,
      query: [...STREAM_QUERY],
      answers: { 200: undefined },
      media: STREAM_MEDIA,
      errors: [
        "Query Parameter Invalid",
        "Ecosystem Missing",
        "Ecosystem Invalid",
        "Ecosystem Not Found",
        "Environment Invalid",
        "Environment Not Found",
        "Access Denied",
      ],
      handle: async (call) => {
        const wish = readStreamWish(call.query, call.header("last-event-id"));
        const place = await placeOf(references, call.caller, call.query);
        if (call.isHead) return answer(Readable.from([]));
        const authorization = call.header("authorization");
        const authenticate = () => authenticator.authenticate(authorization);
        return answer(await streams.open(call.caller, { ...place, ...wish }, authenticate));
      },
    }),
  ];
}

function answer(body: Readable): Answer {
  return { status: 200, body, media: STREAM_MEDIA, headers: STREAM_HEADERS };
}

/** The requested log, and the environment that it is filtered by. @throws "Ecosystem Missing", and those of the references */
export async function placeOf(
  references: References,
  caller: Caller,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly ecosystemId: string; readonly environmentId: string | undefined }> {
  const named =
    query.ecosystemId === undefined ? undefined : await references.resolve(caller, "eco", query.ecosystemId);
  if (query.environmentId !== undefined) {
    const { ecosystemId, id } = await references.resolve(caller, "env", query.environmentId);
    if (named && named.id !== ecosystemId) throw referenceNotFound("env");
    return { ecosystemId, environmentId: id };
  }
  if (named) return { ecosystemId: named.ecosystemId, environmentId: undefined };
  const [only, ...others] = reach(caller);
  if (only === undefined || others.length > 0) throw new NamedError("Ecosystem Missing");
  return { ecosystemId: only, environmentId: undefined };
}
