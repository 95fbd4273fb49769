/** `…/services/:selector/history` of a device, a zone and an environment (A11), and the retention of an ecosystem's history. */
import { Readable } from "node:stream";
import { historyPage, historySettings, historySettingsUpdate, MAX_HISTORY_POINTS } from "@porchlight/shared/api";
import {
  csvOf,
  HISTORY_MEDIA,
  HISTORY_QUERY,
  type HistoryPlace,
  historyPageOf,
  historyPart,
  historyText,
  ndjsonOf,
  readHistoryFormat,
  readHistoryPageSize,
  readHistoryQuery,
} from "@porchlight/shared/rest";
import type { Caller, References } from "../../../access/index.ts";
import type { Devices, PropertyScope } from "../../../devices/index.ts";
import type { History } from "../../../history/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { Call } from "../../routing/call.ts";
import type { Pager } from "../../routing/page.ts";
import { A_S, A_S_U, type Answer, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";

export interface HistoryRouteDeps {
  readonly devices: Devices;
  readonly history: History;
  readonly references: References;
  readonly pager: Pager;
  readonly clock: { now(): number };
}

const DAY = 86_400_000;
const READ = {
  method: "GET",
  tokens: A_S_U,
  query: HISTORY_QUERY,
  answers: { 200: historyPage },
  otherMedia: ["text/csv", "application/x-ndjson"],
  isHashed: true,
  largestPage: MAX_HISTORY_POINTS,
} as const;
const SELECTOR_ERRORS = ["Service Not Found", "Service Property Invalid"] as const;
const SETTINGS_ROUTE = { path: "/api/ecosystems/:id/history-settings", tag: "ecosystems", tokens: A_S } as const;

export function historyRoutes(deps: HistoryRouteDeps): Route[] {
  const { devices, history, references } = deps;
  return [
    defineRoute({
      ...READ,
      path: "/api/devices/:id/services/:selector/history",
      tag: "devices",
      operationId: "getDeviceHistory",
      summary: "Read what properties of a device were; as JSON, CSV or NDJSON by `accept`",
      errors: ["Device Invalid", "Device Not Found", "Access Denied", "Query Parameter Invalid", ...SELECTOR_ERRORS],
      handle: async (call) => {
        const { ecosystemId, environmentId, id } = await references.resolve(call.caller, "dev", call.params.id);
        return answer(deps, call, { ecosystemId, environmentId: environmentId ?? "", deviceId: id });
      },
    }),
    defineRoute({
      ...READ,
      path: "/api/zones/:id/services/:selector/history",
      tag: "zones",
      operationId: "getZoneHistory",
      summary: "Read what properties of all devices in a zone and its zones were",
      errors: ["Zone Invalid", "Zone Not Found", "Access Denied", "Query Parameter Invalid", ...SELECTOR_ERRORS],
      handle: async (call) =>
        answer(deps, call, await devices.inZone(await references.resolve(call.caller, "zon", call.params.id))),
    }),
    defineRoute({
      ...READ,
      path: "/api/environments/:id/services/:selector/history",
      tag: "environments",
      operationId: "getEnvironmentHistory",
      summary: "Read what properties of all devices of an environment were",
      errors: [
        ...(["Environment Invalid", "Environment Not Found", "Access Denied", "Query Parameter Invalid"] as const),
        ...SELECTOR_ERRORS,
      ],
      handle: async (call) => {
        const { ecosystemId, id } = await references.resolve(call.caller, "env", call.params.id);
        return answer(deps, call, { ecosystemId, environmentId: id });
      },
    }),
    defineRoute({
      method: "GET",
      ...SETTINGS_ROUTE,
      operationId: "getHistorySettings",
      summary: "Show how long an ecosystem keeps history",
      answers: { 200: historySettings },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { ecosystemId } = await references.resolve(call.caller, "eco", call.params.id);
        return ok({ ...(await history.choiceOf(ecosystemId)), most: history.most });
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      ...SETTINGS_ROUTE,
      operationId: "updateHistorySettings",
      summary: "Change how long an ecosystem keeps history, or turn it off",
      body: bodyOf(historySettingsUpdate),
      answers: { 200: undefined },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { ecosystemId } = await references.resolve(call.caller, "eco", call.params.id);
        await history.choose(ecosystemId, call.body, call.caller);
        return done();
      },
    }),
  ];
}

async function answer(
  { devices, history, pager, clock }: HistoryRouteDeps,
  call: Call<Caller, undefined, `${string}/:selector/history`>,
  scope: PropertyScope,
): Promise<Answer> {
  const format = readHistoryFormat(call.header("accept"), call.query);
  const asked = pager.read(call, readHistoryPageSize);
  const { rawDays } = await history.choiceOf(scope.ecosystemId);
  const wanted = readHistoryQuery(call.query, clock.now(), { rawFor: rawDays * DAY });
  const sources = await history.sources(scope.ecosystemId, await devices.selected(scope, call.params.selector));
  if (format !== "json") return lines(format === "csv" ? csvOf(sources, wanted) : ndjsonOf(sources, wanted), format);
  const place = asked.after === "" ? undefined : readPlace(asked.after);
  const part = await historyPart(sources, wanted, place, asked.size, pager.bytes);
  const token = part.next && pager.token(asked, JSON.stringify(part.next));
  const { slices, etag } = await historyText(historyPageOf(part, token));
  return unlessMatch(call.header("if-none-match"), { status: 200, text: slices.join(""), headers: { etag } });
}

function lines(text: AsyncIterable<string>, format: keyof typeof HISTORY_MEDIA): Answer {
  return { status: 200, body: Readable.from(text, { objectMode: false }), media: HISTORY_MEDIA[format] };
}

/** Parses a place that this route has sealed. */
function readPlace(text: string): HistoryPlace {
  return JSON.parse(text) as HistoryPlace;
}
