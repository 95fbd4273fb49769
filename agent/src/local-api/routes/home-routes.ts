/** The routes that a hub serves at home (A9): the part of the API that concerns its own devices. */
import type { PresentedToken, PropertyItem, PropertyList } from "@porchlight/shared/api";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { parseSelector } from "@porchlight/shared/model";
import {
  etag,
  hasAlready,
  listSlices,
  MOST_ITEMS_AT_ONCE,
  PAGING,
  planRefresh,
  preferenceApplied,
  READ_QUERY,
  readAsked,
  readIdempotencyKey,
  readPrefer,
  readReport,
  readStreamWish,
  readValue,
  referenceInvalid,
  refreshAnswer,
  STREAM_HEADERS,
  STREAM_MEDIA,
  STREAM_QUERY,
  timesGiven,
} from "@porchlight/shared/rest";
import type { Failure } from "@porchlight/shared/tunnel";
import type { AskDrivers } from "../../drivers/index.ts";
import type { State } from "../../state/index.ts";
import type { HomeAnswer, HomeCall, HomeRoute } from "../home-call.ts";
import type { HomeStreams } from "../home-streams.ts";
import { driverRoutes } from "./driver-routes.ts";
import { historyRoutes } from "./history-routes.ts";
import type { HomeProperty, HomeView } from "./home-view.ts";
import type { HomeReferences, HomeScenes } from "./references.ts";
import type { WriteKey } from "./repeats.ts";
import { type CallSceneDeps, type HomePages, sceneRoutes } from "./scene-routes.ts";
import type { SharedReads } from "./shared-reads.ts";
import type { HomeWrites } from "./write-property.ts";

export interface HomeRouteDeps {
  readonly state: Pick<State, "home" | "series" | "time">;
  readonly view: HomeView;
  readonly references: HomeReferences;
  readonly pages: HomePages;
  readonly reads: ReadPropertiesDeps;
  readonly writes: HomeWrites;
  readonly scenes: HomeScenes;
  readonly calls: CallSceneDeps;
  readonly streams: HomeStreams;
  readonly askDrivers: AskDrivers;
  /** Whether the hub may control devices: not while another agent with its identity is online. */
  readonly mayTouch: () => boolean;
}

const DEVICES = "/api/devices";
/** `retry-after` while another agent with the hub's identity is online, s. */
const STOOD_IN_FOR = 60;

export function homeRoutes(deps: HomeRouteDeps): HomeRoute[] {
  const { view, references } = deps;
  return [
    { method: "GET", path: "/api/token", query: [], handle: (call) => ok(showToken(deps, call)) },
    {
      method: "GET",
      path: DEVICES,
      query: [...PAGING, "environmentId", "zoneId", "type"],
      handle: (call) => listDevices(deps, call),
    },
    {
      method: "GET",
      path: `${DEVICES}/:id`,
      query: [],
      handle: (call) => {
        const { metaPrefix } = call;
        const device = references.device(call.param("id"));
        const tag = etag(device.name.version);
        if (hasAlready(call.header("if-none-match"), tag)) return { status: 304, headers: { etag: tag } };
        return ok(view.show(device, metaPrefix), { etag: tag });
      },
    },
    {
      method: "GET",
      path: `${DEVICES}/:id/services`,
      query: [],
      handle: (call) => ok({ items: view.services(references.device(call.param("id"))) }),
    },
    {
      method: "GET",
      path: `${DEVICES}/:id/services/:selector`,
      query: READ_QUERY,
      handle: (call) => readSome(deps, call, () => references.device(call.param("id")).id),
    },
    {
      method: "PUT",
      path: `${DEVICES}/:id/services/:selector`,
      query: [],
      takesBody: true,
      handle: (call) => setOne(deps, call),
    },
    {
      method: "GET",
      path: "/api/environments/:id/services/:selector",
      query: READ_QUERY,
      handle: (call) => readSome(deps, call, () => references.environment(call.param("id"))),
    },
    ...historyRoutes(deps),
    eventRoute(deps),
    ...sceneRoutes({ ...deps, keyOf, requireTouch: () => requireTouch(deps) }),
    ...driverRoutes(deps),
  ];
}

function showToken({ state }: HomeRouteDeps, { token }: HomeCall): PresentedToken {
  const ecosystemId = state.home.place?.ecosystemId;
  return { id: token.id, type: "local", ...(ecosystemId !== undefined && { ecosystemId }) };
}

function listDevices({ view, references, pages }: HomeRouteDeps, call: HomeCall): HomeAnswer {
  const { metaPrefix, query, path, token } = call;
  const { type, environmentId, zoneId } = query;
  if (type !== undefined && type !== "physical" && type !== "virtual")
    throw new NamedError("Query Parameter Invalid", "`type` must be `physical` or `virtual`.");
  const asked = pages.read({ tokenId: token.id, path, query });
  if (environmentId !== undefined) references.environment(environmentId);
  // The hub has no zones.
  if (zoneId !== undefined) throw referenceInvalid("zon");
  const { items, ...rest } = pages.page(asked, type === "virtual" ? [] : view.devices());
  return ok({ items: items.map((device) => view.show(device, metaPrefix)), ...rest });
}

/** @param scope resolves the path: to a device's ID, or to nothing for the whole home */
async function readSome(deps: HomeRouteDeps, call: HomeCall, scope: () => string | undefined): Promise<HomeAnswer> {
  const asked = readAsked(call.query);
  const deviceId = scope();
  const selector = call.param("selector");
  if (asked.kind === "cached") {
    const { size, items } = knownProperties(deps.view, selector, deviceId);
    return lists(size, { items });
  }
  requireTouch(deps);
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const { maxAgeMs } = asked;
  const read = await readProperties(deps.reads, { selector, deviceId, maxAgeMs, waitMs, signal: call.signal });
  const { items, failures } = read;
  return lists(items.length + (failures?.length ?? 0), { items, failures }, preferenceApplied(applied));
}

async function setOne(deps: HomeRouteDeps, call: HomeCall): Promise<HomeAnswer> {
  const value = readValue(call.body, ["report"]);
  const report = readReport(call.body.report);
  const key = keyOf(call);
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const device = deps.references.device(call.param("id"));
  requireTouch(deps);
  const selector = call.param("selector");
  const by = call.token.label;
  const { item, commandId, replayed } = await deps.writes.set({ device, selector, value, report, waitMs, key, by });
  return ok(item, {
    "x-command-id": commandId,
    ...preferenceApplied(applied),
    ...(replayed && { "idempotent-replayed": "true" }),
  });
}

/** @throws "Idempotency Key Invalid" */
function keyOf(call: HomeCall): WriteKey | undefined {
  const given = call.header("idempotency-key");
  if (given === undefined) return undefined;
  const key = readIdempotencyKey(given, timesGiven(call.rawHeaders, "idempotency-key"));
  return { key, tokenId: call.token.id, path: call.path };
}

/** @throws "Service Unavailable" */
function requireTouch({ mayTouch }: HomeRouteDeps): void {
  if (mayTouch()) return;
  throw new NamedError(
    "Service Unavailable",
    "Another agent with this hub's identity is online and controls the devices. Use the API of that agent.",
    { outcome: "not_sent", retryAfter: STOOD_IN_FOR },
  );
}

function ok(body: object, headers?: Readonly<Record<string, string>>): HomeAnswer {
  return { status: 200, body, headers };
}

/** A JSON object of lists; undefined lists are left out. */
function lists(
  size: number,
  given: Readonly<Record<string, Iterable<object> | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): HomeAnswer {
  if (size > MOST_ITEMS_AT_ONCE) return { status: 200, headers, slices: listSlices(given) };
  const body = Object.entries(given).flatMap(([name, items]) => (items ? [[name, [...items]]] : []));
  return { status: 200, headers, body: Object.fromEntries(body) };
}

/** The dependencies of `GET /api/events` at home (A6, A9), which sends the events of the hub's own devices as server-sent events. */
interface EventRouteDeps {
  readonly references: HomeReferences;
  readonly streams: Pick<HomeStreams, "open">;
}

/**
 * Throws "Query Parameter Invalid", "Ecosystem Invalid", "Environment Invalid", "Environment Not Found", and the errors of opening a
 * stream.
 */
function eventRoute({ references, streams }: EventRouteDeps): HomeRoute {
  return {
    method: "GET",
    path: "/api/events",
    query: STREAM_QUERY,
    handle: (call) => {
      const wish = readStreamWish(call.query, call.header("last-event-id"));
      const { ecosystemId, environmentId } = call.query;
      if (ecosystemId !== undefined) references.ecosystem(ecosystemId);
      if (environmentId !== undefined) references.environment(environmentId);
      const headers = { ...STREAM_HEADERS, "content-type": STREAM_MEDIA };
      return { status: 200, headers, stream: streams.open(call.token, wish) };
    },
  };
}

/** The dependencies of reads of properties: from stored values, or from the devices themselves (A3). */
interface ReadPropertiesDeps {
  /** The hub's best estimate of the time. */
  readonly clock: Clock;
  readonly view: HomeView;
  readonly reads: Pick<SharedReads, "read">;
}

interface ReadRequest {
  readonly selector: string;
  /** ID of the one selected device; undefined: all. */
  readonly deviceId?: string | undefined;
  readonly maxAgeMs?: number | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** The properties that a selector currently matches; those without a value have no item. */
interface KnownProperties {
  readonly size: number;
  /** Each item is built when it is read. */
  readonly items: Iterable<PropertyItem>;
}

/** The properties with their stored values; a malformed or unknown selector selects nothing. */
function knownProperties(view: HomeView, selectorText: string, deviceId?: string): KnownProperties {
  const selector = parseSelector(selectorText);
  const selected = selector ? view.select(selector, amongOf(deviceId)) : [];
  return { size: selected.length, items: itemsOf(view, selected) };
}

function* itemsOf(view: HomeView, selected: readonly HomeProperty[]): Generator<PropertyItem> {
  for (const each of selected) {
    const item = view.item(each);
    if (item) yield item;
  }
}

/**
 * Reads properties from the devices, concurrently.
 * @throws "Service Not Found", "Service Property Invalid"; for one device of which nothing could be read also "Hub Timeout",
 * "Device Unreachable", "Device Rejected"
 */
async function readProperties(deps: ReadPropertiesDeps, request: ReadRequest): Promise<PropertyList> {
  const { clock, view, reads } = deps;
  const { selector, deviceId, maxAgeMs, waitMs, signal } = request;
  const now = clock.now();
  const isFresh = (each: HomeProperty) => {
    const observedAt = view.observedAt(each);
    return maxAgeMs !== undefined && observedAt !== undefined && now - observedAt <= maxAgeMs;
  };
  const plan = planRefresh(view, { selector, among: amongOf(deviceId) }, isFresh);
  const answerBy = clock.monotonic() + waitMs;
  const failed = new Map<HomeProperty, Failure>();
  await Promise.all(
    plan.read.map(async (each) => {
      const failure = await reads.read(view.target(each), { answerBy, signal });
      if (failure) failed.set(each, failure);
    }),
  );
  const [first] = failed.values();
  if (first && deviceId !== undefined && failed.size === plan.selected.length)
    throw new NamedError(first.name, first.detail);
  return refreshAnswer(plan.selected, failed, (each) => view.item(each));
}

function amongOf(deviceId: string | undefined): readonly string[] | undefined {
  return deviceId === undefined ? undefined : [deviceId];
}
