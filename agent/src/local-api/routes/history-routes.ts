/** The history of properties at home (A11): the same requests and answers as in the cloud, from the hub's own records. */
import { Readable } from "node:stream";
import { historyKindOf } from "@porchlight/shared/history";
import {
  csvOf,
  HISTORY_MEDIA,
  HISTORY_QUERY,
  type HistoryAsked,
  type HistoryPlace,
  type HistorySources,
  hasAlready,
  historyPageOf,
  historyPart,
  historyText,
  ndjsonOf,
  readHistoryFormat,
  readHistoryPageSize,
  readHistoryQuery,
  selectDefined,
} from "@porchlight/shared/rest";
import type { State } from "../../state/index.ts";
import type { HomeAnswer, HomeCall, HomeRoute } from "../home-call.ts";
import type { HomeView } from "./home-view.ts";
import type { HomeReferences } from "./references.ts";
import type { HomePages } from "./scene-routes.ts";

export interface HistoryRouteDeps {
  readonly state: Pick<State, "series" | "time">;
  readonly view: HomeView;
  readonly references: HomeReferences;
  readonly pages: HomePages;
}

export function historyRoutes(deps: HistoryRouteDeps): HomeRoute[] {
  const { references } = deps;
  return [
    {
      method: "GET",
      path: "/api/devices/:id/services/:selector/history",
      query: HISTORY_QUERY,
      handle: (call) => tellHistory(deps, call, () => references.device(call.param("id")).id),
    },
    {
      method: "GET",
      path: "/api/environments/:id/services/:selector/history",
      query: HISTORY_QUERY,
      handle: (call) => tellHistory(deps, call, () => references.environment(call.param("id"))),
    },
  ];
}

/** @param scope resolves the path: to a device's ID, or to nothing for the whole home */
async function tellHistory(
  deps: HistoryRouteDeps,
  call: HomeCall,
  scope: () => string | undefined,
): Promise<HomeAnswer> {
  const { state } = deps;
  const format = readHistoryFormat(call.header("accept"), call.query);
  const asked = readHistoryQuery(call.query, state.time.now(), { rawFor: state.series.keptForMs });
  const deviceId = scope();
  const among = deviceId === undefined ? undefined : [deviceId];
  const sources = sourcesOf(deps, { selector: call.param("selector"), among });
  if (format === "json") return onePage(deps.pages, call, sources, asked);
  const lines = format === "csv" ? csvOf(sources, asked) : ndjsonOf(sources, asked);
  const headers = { "content-type": HISTORY_MEDIA[format] };
  return { status: 200, headers, stream: Readable.from(lines, { objectMode: false }) };
}

async function onePage(
  pages: HomePages,
  call: HomeCall,
  sources: HistorySources,
  asked: HistoryAsked,
): Promise<HomeAnswer> {
  const { path, query, token } = call;
  const page = pages.read({ tokenId: token.id, path, query }, readHistoryPageSize);
  const part = await historyPart(sources, asked, readPlace(page.after), page.size);
  const answer = historyPageOf(part, part.next && pages.token(page, JSON.stringify(part.next)));
  const { slices, etag } = await historyText(answer);
  if (hasAlready(call.header("if-none-match"), etag)) return { status: 304, headers: { etag } };
  return { status: 200, headers: { etag }, slices };
}

/** @throws "Service Not Found", "Service Property Invalid" */
function sourcesOf({ state, view }: HistoryRouteDeps, asked: Parameters<typeof selectDefined>[1]): HistorySources {
  const series = selectDefined(view, asked).map((each) => {
    const { service, description } = each.property;
    const kind = historyKindOf(service, description);
    const { unit } = description;
    return state.series.source({ target: view.target(each), deviceId: each.device.id, kind, unit });
  });
  return { recordedUntil: state.series.recordedUntil, begins: state.series.begins, series };
}

/** The place in a continuation token, which only this route seals. */
function readPlace(text: string): HistoryPlace | undefined {
  return text === "" ? undefined : (JSON.parse(text) as HistoryPlace);
}
