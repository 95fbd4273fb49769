/** `/api/event-log`: the events that are kept, in pages (A6.4). */
import { eventPage, parseTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { readTypes } from "@porchlight/shared/rest";
import type { References } from "../../../access/index.ts";
import { referenceNotFound } from "../../../access/index.ts";
import type { EventLog, LogPlace } from "../../../streams/index.ts";
import type { Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S_U, defineRoute, type Route } from "../../routing/route.ts";
import { placeOf } from "./events.ts";

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
        // A device says in which ecosystem it stands.
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

/** What this route has sealed itself. */
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
