/** Reads properties of a device or of an environment: from the cache, or from the devices themselves (A3). */
import type { DeviceServicesList, PropertyDescriptor, PropertyList, ServiceList } from "@porchlight/shared/api";
import { type Clock, deadline, NamedError } from "@porchlight/shared/kernel";
import { addressKey, type DescribedProperty, parseSelector } from "@porchlight/shared/model";
import {
  lastKnownOf,
  MOST_ITEMS_AT_ONCE,
  planRefresh,
  propertyNamed,
  type ReadFailure,
  refreshAnswer,
} from "@porchlight/shared/rest";
import type { Store } from "../../store/index.ts";
import { deviceNotFound } from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { CachedDevice, EnvironmentState, Selected } from "../environment-state.ts";
import { type HubView, hubOffline, lastSeenOf } from "../hub-view.ts";
import type { PlaceOfReads, RemoteReads } from "../relay/remote-reads.ts";
import type { ReadCall, SharedReads } from "../shared-reads.ts";
import { environmentOf, idsOf, type PropertyScope } from "./set-properties.ts";

export interface GetPropertiesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly reads: SharedReads;
  /** Undefined for a single node. */
  readonly readsElsewhere?: RemoteReads | undefined;
}

export interface RefreshRequest {
  readonly selector: string;
  readonly maxAgeMs?: number | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly tokenId: string;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
}

/** The current matches of a selector: all properties; those without a value are no items. */
export interface CachedProperties {
  readonly size: number;
  /** JSON of one item, or of several separated by commas, built while it is sent, so that a large answer is built in slices. */
  readonly texts: Iterable<string>;
}

/** Maximum characters of a list that is cached as one text: a longer one is sent in slices. */
const LARGEST_KEPT = 256 * 1024;
const NOTHING: CachedProperties = { size: 0, texts: [] };

/** Reads from the cache; a malformed or unknown selector matches nothing. @throws "Device Not Found" */
export async function cachedProperties(
  deps: Pick<GetPropertiesDeps, "cache">,
  scope: PropertyScope,
  selectorText: string,
): Promise<CachedProperties> {
  const environment = await environmentOf(deps.cache, scope);
  const among = idsOf(scope);
  const kept = among === undefined ? environment.keptList(selectorText) : undefined;
  if (kept) return { size: kept.size, texts: [kept.text] };
  const selector = parseSelector(selectorText);
  if (!selector) return NOTHING;
  const selected = environment.select(selector, among);
  const size = selected.length;
  const texts = textsOf(environment, selected);
  if (among !== undefined || size > MOST_ITEMS_AT_ONCE) return { size, texts };
  const list = [...texts];
  if (list.reduce((sum, { length }) => sum + length, 0) > LARGEST_KEPT) return { size, texts: list };
  const text = list.join(",");
  environment.keepList(selectorText, { size, text });
  return { size, texts: [text] };
}

function* textsOf(environment: EnvironmentState, selected: readonly Selected[]): Generator<string> {
  for (const { device, property } of selected) {
    const text = environment.text(device.id, property);
    if (text !== undefined) yield text;
  }
}

/**
 * Reads from the devices, all hubs concurrently.
 * @throws "Device Not Found", "Service Not Found", "Service Property Invalid"; for a single device of which nothing
 * could be read also "Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected"
 */
export async function refreshedProperties(
  deps: GetPropertiesDeps,
  scope: PropertyScope,
  request: RefreshRequest,
): Promise<PropertyList> {
  const { clock } = deps;
  const answerBy = clock.monotonic() + request.waitMs;
  const environment = await environmentOf(deps.cache, scope);
  const { selector, maxAgeMs } = request;
  const now = clock.now();
  const isFresh = ({ device, property }: Selected) => {
    // A device without a hub has its value here.
    if (device.clientId === null) return true;
    const stored = environment.stored(device.id, property.key);
    return maxAgeMs !== undefined && stored !== undefined && now - stored.observedAt <= maxAgeMs;
  };
  const plan = planRefresh(environment, { selector, among: idsOf(scope) }, isFresh);
  const failed = await readAll(deps, scope, plan.read, { ...request, answerBy });
  // Values that were read are in the cache once they are stored.
  const after = await environmentOf(deps.cache, scope);
  const [first] = failed;
  if (first && scope.deviceId !== undefined && failed.size === plan.selected.length)
    throw await asError(deps, scope, first[0], first[1]);
  return refreshAnswer(plan.selected, failed, ({ device, property }) => after.item(device.id, property));
}

/** The failure of each property that could not be read. */
async function readAll(
  deps: GetPropertiesDeps,
  scope: PropertyScope,
  items: readonly Selected[],
  { answerBy, waitMs, tokenId, maxAgeMs, signal }: RefreshRequest & { readonly answerBy: number },
): Promise<Map<Selected, ReadFailure>> {
  const failed = new Map<Selected, ReadFailure>();
  const limit = deadline(deps.clock, "refresh", waitMs, {
    signal,
    reason: () => new Error("the caller's time is over"),
  });
  try {
    const byHub = Map.groupBy(items, ({ device }) => device.clientId ?? "");
    await Promise.all(
      [...byHub].map(async ([clientId, ofHub]) => {
        const results = await readOfHub(deps, { ...scope, clientId }, ofHub, {
          answerBy,
          tokenId,
          maxAgeMs,
          signal: limit.signal,
        });
        ofHub.forEach((item, index) => {
          const failure = results ? results[index] : OFFLINE;
          if (failure) failed.set(item, failure);
        });
      }),
    );
  } finally {
    limit.end();
  }
  return failed;
}

/** Undefined when no node has a tunnel of the hub. */
async function readOfHub(
  { hubs, reads, readsElsewhere }: GetPropertiesDeps,
  { ecosystemId, environmentId, clientId }: PlaceOfReads,
  items: readonly Selected[],
  call: ReadCall,
): Promise<readonly (ReadFailure | undefined)[] | undefined> {
  for (;;) {
    const tunnel = hubs.live(clientId);
    if (tunnel && !(tunnel.isLeaving && readsElsewhere)) return reads.read(tunnel, items, call);
    const there = await readsElsewhere?.read({ ecosystemId, environmentId, clientId }, items, call);
    if (there === undefined || there === "away") return undefined;
    if (there !== "here") return there;
  }
}

const OFFLINE: ReadFailure = { name: "Hub Offline", detail: "The hub of this device is not connected." };

async function asError(
  deps: GetPropertiesDeps,
  scope: PropertyScope,
  { device }: Selected,
  { name, detail }: ReadFailure,
): Promise<NamedError> {
  if (name !== "Hub Offline") return new NamedError(name, detail);
  return hubOffline(await lastSeenOf(deps.store, deps.hubs, scope.ecosystemId, device.clientId), detail);
}

/** @throws "Device Not Found" */
export async function deviceServices(
  cache: EnvironmentCache,
  { ecosystemId, environmentId, deviceId }: PropertyScope & { readonly deviceId: string },
): Promise<ServiceList> {
  const environment = await cache.get(ecosystemId, environmentId);
  const device = environment.device(deviceId);
  if (!device) throw deviceNotFound();
  return { items: servicesOf(environment, device) };
}

/** The single property that the selector names. @throws "Device Not Found", "Service Not Found", "Service Property Invalid" */
export async function propertyOf(
  cache: EnvironmentCache,
  { ecosystemId, environmentId, deviceId }: PropertyScope & { readonly deviceId: string },
  selector: string,
): Promise<DescribedProperty> {
  const device = (await cache.get(ecosystemId, environmentId)).device(deviceId);
  if (!device) throw deviceNotFound();
  return propertyNamed(device.described, selector);
}

/** The services of every device of the environment, as JSON that is built while it is sent. */
export async function environmentServices(
  cache: EnvironmentCache,
  { ecosystemId, environmentId }: Pick<PropertyScope, "ecosystemId" | "environmentId">,
): Promise<CachedProperties> {
  const environment = await cache.get(ecosystemId, environmentId);
  return { size: environment.weight, texts: serviceTexts(environment) };
}

function* serviceTexts(environment: EnvironmentState): Generator<string> {
  for (const device of environment.devices()) {
    const item: DeviceServicesList["items"][number] = {
      deviceId: device.id,
      services: servicesOf(environment, device),
    };
    yield JSON.stringify(item);
  }
}

function servicesOf(environment: EnvironmentState, { id, described }: CachedDevice): ServiceList["items"] {
  const { description, byKey } = described;
  return description.map(({ service, index, properties }) => ({
    service,
    index,
    properties: properties.map((each): PropertyDescriptor => {
      const property = byKey.get(addressKey({ service, index, property: each.property }));
      const item = property && environment.item(id, property);
      const { access, values, ...rest } = each;
      return { ...rest, ...(values && { values: [...values] }), access: [...access], ...(item && lastKnownOf(item)) };
    }),
  }));
}
