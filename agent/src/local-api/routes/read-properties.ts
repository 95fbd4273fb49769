/** Reads properties of the hub's devices: from what they last said, or from the devices themselves (A3). */
import type { PropertyItem, PropertyList } from "@porchlight/shared/api";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { parseSelector } from "@porchlight/shared/model";
import { planRefresh, refreshAnswer } from "@porchlight/shared/rest";
import type { Failure } from "@porchlight/shared/tunnel";
import type { HomeProperty, HomeView } from "./home-view.ts";
import type { SharedReads } from "./shared-reads.ts";

export interface ReadPropertiesDeps {
  /** The hub's best knowledge of the time. */
  readonly clock: Clock;
  readonly view: HomeView;
  readonly reads: Pick<SharedReads, "read">;
}

export interface ReadRequest {
  readonly selector: string;
  /** ID of the one device that is meant; undefined: all. */
  readonly deviceId?: string | undefined;
  readonly maxAgeMs?: number | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
}

/** What a selector means at present: as many properties, some of which may have no value and so be no item. */
export interface KnownProperties {
  readonly size: number;
  /** Each made when it is taken. */
  readonly items: Iterable<PropertyItem>;
}

/** From what is known; a selector that is malformed or unknown selects nothing. */
export function knownProperties(view: HomeView, selectorText: string, deviceId?: string): KnownProperties {
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
 * From the devices, side by side.
 * @throws "Service Not Found", "Service Property Invalid"; of one device of which nothing could be read also "Hub Timeout",
 * "Device Unreachable", "Device Rejected"
 */
export async function readProperties(deps: ReadPropertiesDeps, request: ReadRequest): Promise<PropertyList> {
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
